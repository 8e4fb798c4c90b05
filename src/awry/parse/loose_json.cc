// SPDX-License-Identifier: Apache-2.0
#include "awry/parse/loose_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "awry/base/text.h"
#include "awry/parse/loose_json_reader.h"
#include "awry/parse/scan.h"

namespace awry::parse {
namespace {

constexpr std::string_view kThing = "JSON";

// Something in a reply that is JSON, or was meant to be.
struct Candidate {
  LooseJson found;
  std::vector<std::string> tolerated;
  std::optional<Error> error;
  bool nothing_inside = false;  // cut off before its first member

  // Citations like [3] and ticks like [ ] must not outrank an answer.
  bool is_structured() const {
    if (error || found.json.is_object()) return true;
    return found.json.is_array() &&
           std::ranges::any_of(found.json, [](const Json& item) { return item.is_structured(); });
  }
};

struct Scan {
  std::vector<Candidate> candidates;
  std::optional<Error> best_failure;  // of text that never looked like JSON
};

Error failure_of(const LooseJsonReader& reader, std::string_view text) {
  Error error = unparsable(kThing, text, reader.why()).value();
  if (reader.too_deep()) error.kind = ErrorKind::kLimit;
  return error;
}

// Just behind the bracket that matches the one at `at`, whatever stands in between; npos if none does.
std::size_t behind_matching_bracket(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '{' || text[at] == '[') ++depth;
    if ((text[at] == '}' || text[at] == ']') && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

Scan scan_for_json(std::string_view text, const LooseJsonOptions& options) {
  Scan scan;
  // Trying again one bracket further after each failure is quadratic on "[[[["; this many bytes may be
  // read twice before we rather go on behind the failure.
  std::size_t budget = text.size() + 4096;
  std::size_t farthest = 0;
  for (std::size_t at = text.find_first_of("{["); at < text.size();) {
    LooseJsonReader reader(text, at, options);
    Candidate candidate;
    const LooseStatus status = reader.read(candidate.found.json);
    std::size_t next = std::max(reader.at(), at + 1);
    if (status == LooseStatus::kBroken) {
      if (reader.looked_like_json()) {
        candidate.error = failure_of(reader, text.substr(at));
        scan.candidates.push_back(std::move(candidate));
        next = behind_matching_bracket(text, at);
        if (next == std::string_view::npos) break;
      } else {
        const std::size_t read = next - at;
        if (read > farthest) {
          farthest = read;
          scan.best_failure = failure_of(reader, text.substr(at));
        }
        if (read <= budget) {
          budget -= read;
          next = at + 1;
        }
      }
    } else {
      candidate.found.truncated = status != LooseStatus::kWhole;
      candidate.nothing_inside = candidate.found.truncated && candidate.found.json.empty();
      candidate.tolerated = reader.tolerated();
      scan.candidates.push_back(std::move(candidate));
    }
    at = text.find_first_of("{[", next);
  }
  return scan;
}

std::vector<std::string_view> fenced_blocks(std::string_view text) {
  constexpr std::string_view kFence = "```";
  std::vector<std::string_view> blocks;
  for (std::size_t open = text.find(kFence); open != std::string_view::npos;) {
    std::size_t begin = open + kFence.size();
    while (begin < text.size() && (is_word_byte(text[begin]) || text[begin] == '+')) ++begin;
    const std::size_t close = text.find(kFence, begin);
    blocks.push_back(text.substr(begin, close == std::string_view::npos ? close : close - begin));
    if (close == std::string_view::npos) break;
    open = text.find(kFence, close + kFence.size());
  }
  return blocks;
}

void add_note(std::vector<std::string>& notes, std::string note) {
  notes.push_back(std::move(note));
}

// "answer: {...}" -> "{...}". A short label of plain words before the bracket is no part of the value.
std::string_view without_label(std::string_view body) {
  constexpr std::size_t kLongestLabel = 40;
  const std::size_t bracket = body.find_first_of("{[");
  if (body.starts_with("\\text{") || bracket == std::string_view::npos || bracket > kLongestLabel)
    return body;
  const std::string_view label = trim(body.substr(0, bracket));
  if (!label.ends_with(':') && !label.ends_with('=')) return body;
  const auto plain = [](char c) { return is_ascii_letter(c) || c == ' ' || c == '_'; };
  return std::ranges::all_of(label.substr(0, label.size() - 1), plain) ? body.substr(bracket) : body;
}

Candidate boxed_candidate(const Parsed<std::string>& boxed, const LooseJsonOptions& options) {
  Candidate candidate;
  std::string body = boxed.value;
  std::vector<std::string> notes = boxed.tolerated;
  if (const std::string_view inner = without_label(body); inner.size() != body.size()) {
    body = std::string(inner);
    add_note(notes, "a label before the boxed JSON");
  }
  if (body.starts_with("```")) {
    body = std::string(trim(fenced_blocks(body).front()));
    add_note(notes, "a ``` fence inside the box");
  }
  if (body.starts_with("\\{") || body.starts_with("\\[")) {
    for (const char* bracket : {"{", "}", "[", "]"})
      body = replace_all(body, std::string("\\") + bracket, bracket);
    add_note(notes, "LaTeX's escaped braces");
  }
  const bool quoted = body.starts_with('"') || body.starts_with('\'') || body.starts_with("\u201c");
  if (quoted && body.find(':') != std::string::npos) {
    body = "{" + body + "}";
    add_note(notes, "the box's own braces are the object's");
  }
  if (!body.starts_with('{') && !body.starts_with('[')) {
    candidate.error = unparsable(kThing, body, "what is boxed is not JSON").value();
    return candidate;
  }
  LooseJsonReader reader(body, 0, options);
  const LooseStatus status = reader.read(candidate.found.json);
  if (status == LooseStatus::kBroken) {
    candidate.error = failure_of(reader, body);
    return candidate;
  }
  candidate.found.truncated = status != LooseStatus::kWhole;
  reader.skip_space();
  if (!strip_any(std::string_view(body).substr(reader.at()), " \t\r\n}$.`").empty()) {
    add_note(notes, "text behind the boxed JSON");
  }
  candidate.tolerated = std::move(notes);
  for (std::string& note : reader.tolerated()) add_note(candidate.tolerated, std::move(note));
  return candidate;
}

bool fits(const Candidate& candidate, JsonWanted wanted) {
  if (candidate.error || wanted == JsonWanted::kAny) return true;
  return wanted == JsonWanted::kObject ? candidate.found.json.is_object() : candidate.found.json.is_array();
}

// [{...}] where an object is wanted.
void unwrap_single(Candidate& candidate) {
  Json& json = candidate.found.json;
  if (candidate.error || !json.is_array() || json.size() != 1 || !json[0].is_object()) return;
  Json inner = std::move(json[0]);
  json = std::move(inner);
  add_note(candidate.tolerated, "a list of one object");
}

Result<std::vector<Candidate>> candidates_in(std::string_view reply, const LooseJsonOptions& options) {
  Scan scan;
  if (const auto boxed = last_boxed(reply)) {
    scan.candidates.push_back(boxed_candidate(*boxed, options));
  } else {
    for (std::string_view block : fenced_blocks(reply)) {
      Scan inside = scan_for_json(block, options);
      std::ranges::move(inside.candidates, std::back_inserter(scan.candidates));
    }
    if (scan.candidates.empty()) scan = scan_for_json(reply, options);
  }
  std::vector<Candidate>& all = scan.candidates;
  if (all.size() > 1) std::erase_if(all, [](const Candidate& c) { return c.nothing_inside; });
  if (options.wanted == JsonWanted::kObject &&
      std::ranges::none_of(all, [](const Candidate& c) { return !c.error && c.found.json.is_object(); })) {
    std::ranges::for_each(all, unwrap_single);
  }
  const bool had_json = !all.empty();
  std::erase_if(all, [&](const Candidate& c) { return !fits(c, options.wanted); });
  if (!all.empty()) return std::move(all);
  if (had_json) {
    return unparsable(kThing, reply,
                      options.wanted == JsonWanted::kObject ? "it holds a list, not an object"
                                                            : "it holds an object, not a list");
  }
  if (scan.best_failure) return fail(*scan.best_failure);
  return fail({.kind = ErrorKind::kNotFound, .what = "cannot read JSON", .why = "the reply holds none"});
}

Result<void> check_usable(const Candidate& candidate, const LooseJsonOptions& options,
                          std::string_view text) {
  if (candidate.error) return fail(*candidate.error);
  if (candidate.found.truncated && !options.allow_truncated) {
    return unparsable(kThing, text, "it ends half-way");
  }
  return {};
}

}  // namespace

Result<Parsed<LooseJson>> read_loose_json(std::string_view text, const LooseJsonOptions& options) {
  LooseJsonReader reader(text, 0, options);
  Candidate candidate;
  const LooseStatus status = reader.read(candidate.found.json);
  if (status == LooseStatus::kBroken) return fail(failure_of(reader, text));
  if (status == LooseStatus::kNone) return unparsable(kThing, text, "there is no value");
  candidate.found.truncated = status == LooseStatus::kCut;
  reader.skip_space();
  if (!reader.at_end()) return unparsable(kThing, text, fmt::format("text follows at byte {}", reader.at()));
  AWRY_TRY(check_usable(candidate, options, text));
  return Parsed<LooseJson>{std::move(candidate.found), reader.tolerated()};
}

Result<Parsed<LooseJson>> find_json(std::string_view reply, const LooseJsonOptions& options) {
  AWRY_TRY_ASSIGN(std::vector<Candidate> candidates, candidates_in(reply, options));
  auto chosen = std::find_if(candidates.rbegin(), candidates.rend(),
                             [](const Candidate& candidate) { return candidate.is_structured(); });
  if (chosen == candidates.rend()) chosen = candidates.rbegin();
  AWRY_TRY(check_usable(*chosen, options, reply));
  const auto structured = std::ranges::count_if(candidates, &Candidate::is_structured);
  Parsed<LooseJson> parsed{std::move(chosen->found), {}};
  parsed.tolerate_all(chosen->tolerated);
  if (structured > 1)
    parsed.tolerate(fmt::format("{} JSON values in the reply: the last counts", structured));
  return parsed;
}

Result<Parsed<std::vector<LooseJson>>> find_all_json(std::string_view reply,
                                                     const LooseJsonOptions& options) {
  AWRY_TRY_ASSIGN(std::vector<Candidate> candidates, candidates_in(reply, options));
  if (std::ranges::any_of(candidates, &Candidate::is_structured)) {
    std::erase_if(candidates, [](const Candidate& candidate) { return !candidate.is_structured(); });
  }
  Parsed<std::vector<LooseJson>> parsed;
  for (Candidate& candidate : candidates) {
    AWRY_TRY(check_usable(candidate, options, reply));
    parsed.value.push_back(std::move(candidate.found));
    parsed.tolerate_all(candidate.tolerated);
  }
  return parsed;
}

}  // namespace awry::parse
