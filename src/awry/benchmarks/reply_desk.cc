// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/reply_desk.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/benchmarks/reply_entry.h"
#include "awry/records/json.h"

namespace awry::benchmarks {
namespace {

constexpr std::string_view kExample = R"(Each line should look like {"id": "12", "reply": "..."}.)";
constexpr std::array<std::string_view, 9> kListNames = {
    "answers", "replies", "results", "responses", "outputs", "predictions", "question", "questions", "data"};

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
    const bool is_id = is_id_name(name);
    if (!is_id && !is_reply_name(name)) return std::nullopt;
    if (value.get((is_id ? plain.id : plain.text))) return std::nullopt;
    (is_id ? has_id : has_reply) = true;
  }
  return has_id && has_reply ? std::optional(plain) : std::nullopt;
}

// The files of a folder that may hold answers.
Result<std::vector<std::filesystem::path>> files_of(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector<fs::path>{path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const std::string ending = to_lower_ascii(entry.path().extension().string());
    if (ending == ".json" || ending == ".jsonl" || ending == ".ndjson" || ending == ".txt")
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  if (!files.empty()) return files;
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot read answers",
               .input = path.string(),
               .why = "the folder has no .jsonl, .json or .txt file",
               .hint = "A text file is the reply to the question it is called like."});
}

}  // namespace

// Lays a file's replies out, whatever its form.
class ReplyFileReader {
 public:
  ReplyFileReader(ReplyDesk& desk, std::size_t file) : desk_(desk), file_(file) {}

  Result<void> read() {
    AWRY_TRY_ASSIGN(std::string text, read_file(path()));
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    // What is written takes no less room than what it stands for.
    words_ = &desk_.words_.emplace_back();
    words_->reserve(text.size() + path().string().size());
    if (desk_.of_folder_ && to_lower_ascii(path().extension().string()) == ".txt") {
      in_lines() = false;
      return lay_out(1, path().stem().string(), text);
    }
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);  // simdjson reads, without using, that far behind
    AWRY_TRY_ASSIGN(const std::optional<Json> document, single_document(text));
    in_lines() = !document;
    return document ? read_document(*document, text) : read_lines(text);
  }

 private:
  const std::filesystem::path& path() const { return desk_.files_[file_].path; }
  bool& in_lines() const { return desk_.files_[file_].in_lines; }

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
          if (name == "asked" || is_id_name(name)) return std::nullopt;
          if (is_reply_name(name) && value.is_string()) return std::nullopt;
        }
      }
    }
    auto whole = parse_json(text, path().string());
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
      AWRY_TRY_ASSIGN(const Json json, parse_json(line, fmt::format("{}, line {}", path().string(), number)));
      AWRY_TRY(read_entry(json, number));
    }
    return {};
  }

  Result<void> read_document(const Json& document, const std::string& text) {
    std::size_t number = 0;
    const Json* list = document.is_array() ? &document : list_in(document);
    if (list != nullptr) {
      for (const Json& entry : *list) AWRY_TRY(read_entry(entry, ++number));
      return {};
    }
    // Once more, by a reader that shows an id given twice.
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (parser.parse(text).get(object)) return fail(complaint(1, "it holds text that is not Unicode"));
    for (const auto [id, value] : object) {
      ++number;
      std::string_view reply;
      if (!value.get(reply)) {
        AWRY_TRY(lay_out(number, id, reply));
        continue;
      }
      AWRY_TRY(keep_entry(read_reply_entry(document.at(std::string(id)), id), number));
    }
    return {};
  }

  // {"model": ..., "answers": [{"id": ...}, ...]}; nullptr when it is {id: reply}.
  static const Json* list_in(const Json& document) {
    for (const std::string_view name : kListNames) {
      const auto found = document.find(name);
      if (found == document.end() || !found->is_array() || found->empty()) continue;
      if (found->front().is_object()) return &*found;
    }
    return nullptr;
  }

  // {"id", "reply"}, or one line of a run's samples.jsonl.
  Result<void> read_entry(const Json& entry, std::size_t number) {
    if (!entry.is_object()) {
      return fail(
          complaint(number, fmt::format("the {} is not a JSON object", in_lines() ? "line" : "entry")));
    }
    if (entry.contains("asked") && entry["asked"].is_array()) return read_asked(entry["asked"], number);
    return keep_entry(read_reply_entry(entry), number);
  }

  Result<void> keep_entry(Result<Reply> read, std::size_t number) {
    if (!read) return fail(complaint(number, read.error().why, read.error().hint));
    Reply& kept = desk_.whole_.emplace_back(std::move(*read));
    return desk_.lay_out(kept.question_id, {.file = file_, .entry = number, .whole = &kept});
  }

  Error complaint(std::size_t entry, std::string why, std::string hint = {}) const {
    return desk_.complaint({.file = file_, .entry = entry}, std::move(why), std::move(hint));
  }

  Result<void> read_asked(const Json& asked, std::size_t number) {
    for (const Json& one : asked) {
      if (!one.is_object() || !one.contains("reply")) {
        return fail(complaint(number, "an element of 'asked' has no reply"));
      }
      AWRY_TRY_ASSIGN(Reply reply,
                      from_json<Reply>(one["reply"], fmt::format("{}:{}", path().string(), number)));
      Reply& kept = desk_.whole_.emplace_back(std::move(reply));
      AWRY_TRY(desk_.lay_out(kept.question_id, {.file = file_, .entry = number, .whole = &kept}));
    }
    return {};
  }

  Result<void> lay_out(std::size_t number, std::string_view id, std::string_view text) {
    const std::string_view kept_id = keep(id);
    return desk_.lay_out(kept_id, {.file = file_, .entry = number, .text = keep(text)});
  }

  std::string_view keep(std::string_view text) {
    const std::size_t begin = words_->size();
    words_->insert(words_->end(), text.begin(), text.end());
    return {words_->data() + begin, text.size()};
  }

  ReplyDesk& desk_;
  std::size_t file_;
  std::vector<char>* words_ = nullptr;
};

Result<ReplyDesk> ReplyDesk::open(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const std::vector<std::filesystem::path> files, files_of(path));
  ReplyDesk desk;
  desk.of_folder_ = files.front() != path;
  for (const std::filesystem::path& file : files) desk.files_.push_back({.path = file});
  for (std::size_t i = 0; i < files.size(); ++i) AWRY_TRY(ReplyFileReader(desk, i).read());
  if (!desk.waiting_.empty()) return desk;
  return fail({.what = "cannot read answers",
               .input = path.string(),
               .why = "there is no reply in it",
               .hint = std::string(kExample)});
}

Result<std::optional<Reply>> ReplyDesk::take(const Question& question, bool only_one) {
  const auto found = waiting_.find(question.id);
  const auto by_sample = only_one ? waiting_.find(question.sample_id) : waiting_.end();
  if (found != waiting_.end() && by_sample != waiting_.end() && found != by_sample) {
    const bool in_order = found->second.is_before(by_sample->second);
    return fail(repeated(question.id, in_order ? by_sample->second : found->second,
                         in_order ? found->second : by_sample->second));
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

void ReplyDesk::pass_over(std::span<const std::string> samples) {
  for (const std::string& sample : samples) {
    std::erase_if(waiting_, [&](const auto& each) {
      return each.first.starts_with(sample) &&
             (each.first.size() == sample.size() || each.first[sample.size()] == '/');
    });
  }
}

Result<void> ReplyDesk::finish() const {
  const auto first = std::ranges::min_element(
      waiting_, [](const auto& a, const auto& b) { return a.second.is_before(b.second); });
  if (first == waiting_.end()) return {};
  return fail(complaint(first->second, fmt::format("no question is called '{}'", first->first),
                        "Ids are those of the truth file."));
}

Result<void> ReplyDesk::lay_out(std::string_view id, Waiting reply) {
  const auto [place, is_new] = waiting_.try_emplace(id, reply);
  if (!is_new) return fail(repeated(id, reply, place->second));
  return {};
}

Error ReplyDesk::complaint(const Waiting& at, std::string why, std::string hint) const {
  const File& file = files_[at.file];
  return {.what = "cannot read answers",
          .input = fmt::format("{}{}{}", file.path.string(), file.in_lines ? ":" : ", entry ", at.entry),
          .why = std::move(why),
          .hint = std::move(hint)};
}

Error ReplyDesk::repeated(std::string_view id, const Waiting& later, const Waiting& earlier) const {
  const File& file = files_[earlier.file];
  const std::string where = later.file == earlier.file ? "" : fmt::format(" of '{}'", file.path.string());
  return complaint(later, fmt::format("'{}' was already answered in {} {}{}", id,
                                      file.in_lines ? "line" : "entry", earlier.entry, where));
}

}  // namespace awry::benchmarks
