// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/reply_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "awry/base/text.h"

namespace awry::benchmarks {
namespace {

constexpr std::string_view kExample = R"(Each entry should look like {"id": "12", "reply": "..."}.)";

// Names of one rank mean the same: kReplyNames[0], then up to [8], up to [12], the rest.
constexpr std::array<std::size_t, 5> kRanks = {0, 1, 9, 13, kReplyNames.size()};
constexpr std::size_t kFirstReadOut = 2;  // from here on something may have been left out of it

tl::unexpected<Error> refuse(std::string why, std::string hint = std::string(kExample)) {
  return fail({.why = std::move(why), .hint = std::move(hint)});
}

const Json* member(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

const std::string* text_member(const Json& object, std::string_view name) {
  const Json* value = member(object, name);
  return value != nullptr ? value->get_ptr<const std::string*>() : nullptr;
}

// A whole number is as good a name as a text.
std::optional<std::string> id_of(const Json& entry) {
  for (const std::string_view name : kIdNames) {
    const Json* value = member(entry, name);
    if (value == nullptr) continue;
    if (value->is_string()) return value->get<std::string>();
    if (value->is_number_integer()) return value->dump();
  }
  return std::nullopt;
}

// An answer that was taken apart already: {"id": ..., "choice": "A", "mask": [1, 2]}.
bool is_taken_apart(const Json& entry) {
  static constexpr std::array<std::string_view, 6> kParts = {"choice", "choices", "mask",
                                                             "masks",  "parts",   "sentences"};
  return std::ranges::any_of(entry.items(), [](const auto& each) {
    return std::ranges::find(kParts, to_lower_ascii(each.key())) != kParts.end();
  });
}

// The field that holds the reply; nullptr when none does.
Result<const Json*> reply_field(const Json& entry) {
  for (std::size_t rank = 0; rank + 1 < kRanks.size(); ++rank) {
    if (rank == kFirstReadOut && is_taken_apart(entry)) return &entry;
    const Json* found = nullptr;
    std::string_view found_name;
    for (std::size_t i = kRanks[rank]; i < kRanks[rank + 1]; ++i) {
      const Json* value = member(entry, kReplyNames[i]);
      if (value == nullptr || (found != nullptr && *value == *found)) continue;
      if (found != nullptr) {
        return refuse(
            fmt::format("'{}' and '{}' differ, and either could be the reply", found_name, kReplyNames[i]),
            "Call the model's words 'reply', or remove the other.");
      }
      found = value, found_name = kReplyNames[i];
    }
    if (found != nullptr) return found;
  }
  return nullptr;
}

Reply failure(std::string error) {
  return {.outcome = Outcome::kTransport, .error = std::move(error)};
}

// Parts of a message: [{"type": "text", "text": "..."}]. nullopt when it is no such list.
std::optional<std::string> joined_parts(const Json& list) {
  std::string text;
  for (const Json& part : list) {
    if (!part.is_object()) return std::nullopt;
    const std::string* words = text_member(part, "text");
    if (words == nullptr) return std::nullopt;
    text += *words;
  }
  return list.empty() ? std::nullopt : std::optional(text);
}

Result<Reply> read_value(const Json& value);

// {"choices": [{"message": {"content": ...}, "finish_reason": ...}]}
Result<Reply> read_completion(const Json& body, const Json& choices) {
  if (choices.empty() || !choices[0].is_object()) return refuse("its completion has no choice");
  const Json* message = member(choices[0], "message");
  const Json* content =
      message != nullptr && message->is_object() ? member(*message, "content") : member(choices[0], "text");
  if (content == nullptr) return refuse("its completion has no content");
  AWRY_TRY_ASSIGN(Reply reply, read_value(*content));
  if (const std::string* reason = text_member(choices[0], "finish_reason")) reply.finish_reason = *reason;
  if (const std::string* model = text_member(body, "model")) reply.returned_model = *model;
  return reply;
}

Result<Reply> read_value(const Json& value) {
  if (value.is_string()) return Reply{.text = value.get<std::string>()};
  if (value.is_null()) return failure("there was no reply");
  if (value.is_array()) {
    if (value.size() == 1 && value[0].is_string()) return Reply{.text = value[0].get<std::string>()};
    if (const auto parts = joined_parts(value)) return Reply{.text = *parts};
    return Reply{.text = dump_json(value)};
  }
  if (!value.is_object()) return refuse("the reply is not a text");
  if (const Json* choices = member(value, "choices"); choices != nullptr && choices->is_array())
    return read_completion(value, *choices);
  if (const Json* body = member(value, "body"); body != nullptr && body->is_object())
    return read_value(*body);
  if (member(value, "role") != nullptr) {
    if (const Json* content = member(value, "content")) return read_value(*content);
  }
  if (value.size() == 1 && is_reply_name(value.items().begin().key())) return read_value(value.front());
  return Reply{.text = dump_json(value)};
}

// A question that failed is written with null for the reply, and may say how: {"id", "outcome": "refused"}.
std::optional<Reply> failure_of(const Json& entry, const Json* field) {
  const std::string* said = text_member(entry, "outcome");
  const auto outcome = said != nullptr ? outcome_named(*said) : std::nullopt;
  const bool null = field != nullptr && field->is_null();
  if (field != nullptr && !null) return std::nullopt;
  if (outcome == Outcome::kAnswered || (said != nullptr && !outcome) || (!outcome && !null))
    return std::nullopt;
  Reply reply = failure("there was no reply");
  reply.outcome = outcome.value_or(Outcome::kTransport);
  if (const Json* error = member(entry, "error"); error != nullptr && !error->is_null())
    reply.error = error->is_string() ? error->get<std::string>() : dump_json(*error);
  return reply;
}

Result<Reply> read_fields(const Json& entry, std::string id) {
  AWRY_TRY_ASSIGN(const Json* field, reply_field(entry));
  if (auto failed = failure_of(entry, field)) {
    failed->question_id = std::move(id);
    return std::move(*failed);
  }
  if (field == nullptr || field->is_null()) {
    return refuse(
        fmt::format("it has no field 'reply', nor {}", fmt::join(std::span(kReplyNames).subspan(1), ", ")));
  }
  AWRY_TRY_ASSIGN(Reply reply, field == &entry ? Reply{.text = dump_json(entry)} : read_value(*field));
  reply.question_id = std::move(id);
  if (const std::string* reason = text_member(entry, "finish_reason")) reply.finish_reason = *reason;
  return reply;
}

bool holds_a_reply(const Json& object) {
  return is_taken_apart(object) || object.contains("outcome") ||
         std::ranges::any_of(object.items(), [](const auto& each) { return is_reply_name(each.key()); });
}

}  // namespace

bool is_id_name(std::string_view name) {
  return std::ranges::find(kIdNames, name) != kIdNames.end();
}

bool is_reply_name(std::string_view name) {
  return std::ranges::find(kReplyNames, name) != kReplyNames.end();
}

Result<Reply> read_reply_entry(const Json& entry, std::optional<std::string_view> key) {
  if (key && !(entry.is_object() && holds_a_reply(entry))) {
    Result<Reply> reply = read_value(entry);
    if (!reply) return refuse(fmt::format("the reply to '{}' is not a text", *key));
    reply->question_id = *key;
    return reply;
  }
  if (key) {
    const auto id = id_of(entry);
    if (id && *id != *key)
      return refuse(fmt::format("it stands under '{}' but calls itself '{}'", *key, *id));
    return read_fields(entry, std::string(*key));
  }
  if (auto id = id_of(entry)) return read_fields(entry, std::move(*id));
  // {"12": "..."}, one to an entry
  if (entry.size() == 1 && !is_reply_name(entry.items().begin().key())) {
    return read_reply_entry(entry.front(), entry.items().begin().key());
  }
  return refuse(fmt::format("it has no field 'id', nor {}", fmt::join(kIdNames, ", ")));
}

}  // namespace awry::benchmarks
