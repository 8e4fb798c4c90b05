// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/reply_desk.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/records/json.h"

namespace awry::benchmarks {
namespace {

constexpr std::array<std::string_view, 2> kIdNames = {"id", "question_id"};
constexpr std::array<std::string_view, 3> kReplyNames = {"reply", "response", "answer"};
constexpr std::string_view kExample = R"(Each line should look like {"id": "12", "reply": "..."}.)";

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

struct PlainReply {
  std::string_view id, text;
};

// An object of just an id and a reply, by far the most frequent kind, without building a document for it.
// nullopt: it is something else, or broken, which the ordinary reader explains.
std::optional<PlainReply> plain_reply(simdjson::dom::parser& parser, std::string_view line) {
  simdjson::dom::object object;
  if (parser.parse(line.data(), line.size(), false).get(object) || object.size() != 2) return std::nullopt;
  PlainReply plain;
  bool has_id = false, has_reply = false;
  for (const auto [name, value] : object) {
    const bool is_id = is_one_of(kIdNames, name);
    if (!is_id && !is_one_of(kReplyNames, name)) return std::nullopt;
    if (value.get((is_id ? plain.id : plain.text))) return std::nullopt;
    (is_id ? has_id : has_reply) = true;
  }
  return has_id && has_reply ? std::optional(plain) : std::nullopt;
}

// The first of these fields that is there; nullptr when that is not a text.
const std::string* text_field(const Json& object, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const auto field = object.find(name); field != object.end())
      return field->get_ptr<const std::string*>();
  }
  return nullptr;
}

// A question that failed is written with null for the reply, and may say how: {"id", "outcome": "refused"}.
std::optional<Reply> failure_of(const Json& entry) {
  const auto said = entry.find("outcome");
  const bool says = said != entry.end() && said->is_string();
  const auto outcome = says ? outcome_named(said->get_ref<const std::string&>()) : std::nullopt;
  const bool null = std::ranges::any_of(kReplyNames, [&](std::string_view name) {
    const auto field = entry.find(name);
    return field != entry.end() && field->is_null();
  });
  if (outcome == Outcome::kAnswered || (says && !outcome) || (!outcome && !null)) return std::nullopt;
  const auto error = entry.find("error");
  return Reply{
      .outcome = outcome.value_or(Outcome::kTransport),
      .error = error != entry.end() && error->is_string() ? error->get<std::string>() : "there was no reply"};
}

}  // namespace

// Lays a file's replies out, whatever its form.
class ReplyFileReader {
 public:
  explicit ReplyFileReader(ReplyDesk& desk) : desk_(desk) {}

  Result<void> read() {
    AWRY_TRY_ASSIGN(std::string text, read_file(desk_.path_));
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    // What is written takes no less room than what it stands for.
    desk_.words_.reserve(text.size());
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);  // simdjson reads, without using, that far behind
    AWRY_TRY_ASSIGN(const std::optional<Json> document, single_document(text));
    desk_.in_lines_ = !document;
    AWRY_TRY(document ? read_document(*document, text) : read_lines(text));
    if (!desk_.waiting_.empty()) return {};
    return fail({.what = "cannot read answers",
                 .input = desk_.path_.string(),
                 .why = "there is no reply in it",
                 .hint = std::string(kExample)});
  }

 private:
  // A list of replies, or one object {id: reply}. nullopt: lines.
  Result<std::optional<Json>> single_document(std::string_view text) const {
    const std::string_view content = trim(text);
    if (content.empty()) return std::nullopt;
    const std::string_view first_line = trim(content.substr(0, content.find('\n')));
    if (!content.starts_with('[')) {
      simdjson::dom::parser parser;
      simdjson::dom::object object;
      const simdjson::padded_string line(first_line);
      if (!parser.parse(line).get(object)) {
        for (const auto [name, value] : object) {
          if (name == "asked" || is_one_of(kIdNames, name) || is_one_of(kReplyNames, name)) {
            return std::nullopt;
          }
        }
      }
    }
    auto whole = parse_json(text, desk_.path_.string());
    if (whole && whole->is_structured()) return std::optional(std::move(*whole));
    // Broken either way: the lines say where, unless it was clearly meant as one document.
    if (!whole && (content.starts_with('[') || first_line == "{")) return fail(whole.error());
    return std::nullopt;
  }

  Result<void> read_lines(std::string_view text) {
    simdjson::dom::parser parser;
    std::size_t number = 0;
    for (const std::string_view line : split_lines(text)) {
      ++number;
      if (trim(line).empty()) continue;
      if (const auto plain = plain_reply(parser, line)) {
        AWRY_TRY(lay_out(number, plain->id, plain->text));
        continue;
      }
      AWRY_TRY_ASSIGN(const Json json,
                      parse_json(line, fmt::format("{}, line {}", desk_.path_.string(), number)));
      AWRY_TRY(read_entry(json, number));
    }
    return {};
  }

  Result<void> read_document(const Json& document, const std::string& text) {
    std::size_t number = 0;
    if (document.is_array()) {
      for (const Json& entry : document) AWRY_TRY(read_entry(entry, ++number));
      return {};
    }
    // Once more, by a reader that shows an id given twice.
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (parser.parse(text).get(object)) return fail(desk_.complaint(1, "it holds text that is not Unicode"));
    for (const auto [id, value] : object) {
      ++number;
      std::string_view reply;
      if (value.get(reply)) {
        return fail(desk_.complaint(number, fmt::format("the reply to '{}' is not a text", id)));
      }
      AWRY_TRY(lay_out(number, id, reply));
    }
    return {};
  }

  // {"id", "reply"}, or one line of a run's samples.jsonl.
  Result<void> read_entry(const Json& entry, std::size_t number) {
    if (!entry.is_object()) {
      return fail(desk_.complaint(
          number, fmt::format("the {} is not a JSON object", desk_.in_lines_ ? "line" : "entry")));
    }
    if (entry.contains("asked") && entry["asked"].is_array()) return read_asked(entry["asked"], number);
    const std::string* id = text_field(entry, kIdNames);
    const std::string* reply = text_field(entry, kReplyNames);
    if (id != nullptr && reply == nullptr) {
      if (auto failure = failure_of(entry)) {
        failure->question_id = *id;
        Reply& kept = desk_.whole_.emplace_back(std::move(*failure));
        return desk_.lay_out(kept.question_id, {.entry = number, .whole = &kept});
      }
    }
    if (id == nullptr || reply == nullptr) {
      return fail(desk_.complaint(number,
                                  fmt::format("it has no text field '{}'", id == nullptr ? "id" : "reply"),
                                  std::string(kExample)));
    }
    return lay_out(number, *id, *reply);
  }

  Result<void> read_asked(const Json& asked, std::size_t number) {
    for (const Json& one : asked) {
      if (!one.is_object() || !one.contains("reply")) {
        return fail(desk_.complaint(number, "an element of 'asked' has no reply"));
      }
      AWRY_TRY_ASSIGN(Reply reply,
                      from_json<Reply>(one["reply"], fmt::format("{}:{}", desk_.path_.string(), number)));
      Reply& kept = desk_.whole_.emplace_back(std::move(reply));
      AWRY_TRY(desk_.lay_out(kept.question_id, {.entry = number, .whole = &kept}));
    }
    return {};
  }

  Result<void> lay_out(std::size_t number, std::string_view id, std::string_view text) {
    const std::string_view kept_id = keep(id);
    return desk_.lay_out(kept_id, {.entry = number, .text = keep(text)});
  }

  std::string_view keep(std::string_view text) {
    std::vector<char>& words = desk_.words_;
    const std::size_t begin = words.size();
    words.insert(words.end(), text.begin(), text.end());
    return {words.data() + begin, text.size()};
  }

  ReplyDesk& desk_;
};

Result<ReplyDesk> ReplyDesk::open(const std::filesystem::path& path) {
  ReplyDesk desk(path);
  AWRY_TRY(ReplyFileReader(desk).read());
  return desk;
}

Result<std::optional<Reply>> ReplyDesk::take(const Question& question, bool only_one) {
  const auto found = waiting_.find(question.id);
  const auto by_sample = only_one ? waiting_.find(question.sample_id) : waiting_.end();
  if (found != waiting_.end() && by_sample != waiting_.end() && found != by_sample) {
    return fail(repeated(question.id, std::max(found->second.entry, by_sample->second.entry),
                         std::min(found->second.entry, by_sample->second.entry)));
  }
  const auto place = found != waiting_.end() ? found : by_sample;
  if (place == waiting_.end()) return std::optional<Reply>();
  std::optional<Reply> reply(std::in_place);
  if (place->second.whole != nullptr) {
    *reply = std::move(*place->second.whole);
  } else {
    reply->text = place->second.text;
  }
  waiting_.erase(place);
  reply->question_id = question.id;
  return reply;
}

Result<void> ReplyDesk::finish() const {
  const auto first =
      std::ranges::min_element(waiting_, {}, [](const auto& each) { return each.second.entry; });
  if (first == waiting_.end()) return {};
  return fail(complaint(first->second.entry, fmt::format("no question is called '{}'", first->first),
                        "Ids are those of the truth file."));
}

Result<void> ReplyDesk::lay_out(std::string_view id, Waiting reply) {
  const auto [place, is_new] = waiting_.try_emplace(id, reply);
  if (!is_new) return fail(repeated(id, reply.entry, place->second.entry));
  return {};
}

Error ReplyDesk::complaint(std::size_t entry, std::string why, std::string hint) const {
  return {.what = "cannot read answers",
          .input = fmt::format("{}{}{}", path_.string(), in_lines_ ? ":" : ", entry ", entry),
          .why = std::move(why),
          .hint = std::move(hint)};
}

Error ReplyDesk::repeated(std::string_view id, std::size_t entry, std::size_t earlier) const {
  return complaint(
      entry, fmt::format("'{}' was already answered in {} {}", id, in_lines_ ? "line" : "entry", earlier));
}

}  // namespace awry::benchmarks
