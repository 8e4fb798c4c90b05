// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/themis/question_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <fstream>
#include <unordered_set>

#include "awry/base/broken_json.h"
#include "awry/base/files.h"

namespace awry::benchmarks::themis {
namespace {

// simdjson's document tree rather than its on-demand reader: the tree checks the whole file before anything
// is believed, and picks the processor's best instructions at run time, which on-demand only does at compile
// time.
namespace dom = simdjson::dom;

constexpr std::int64_t kMaxBlock = 1'000'000;  // block numbers beyond are damage, not places

// What the questions of a file look into.
struct Memory {
  std::string file;
  dom::parser parser;  // holds the document
};

// Where in the file we are, for messages.
struct Place {
  std::string_view file;
  std::size_t number = 0;  // of the question, from 1; 0 outside
  std::string_view id;

  tl::unexpected<Error> error(std::string_view field, std::string why, std::string hint = {}) const {
    std::string where;
    if (number > 0) where = fmt::format("question {}", number);
    if (!id.empty()) where += fmt::format(" ('{}')", id);
    if (!field.empty()) where += fmt::format("{}field '{}'", where.empty() ? "" : ", ", field);
    return fail({.what = "cannot read THEMIS questions",
                 .input = std::string(file),
                 .why = where.empty() ? std::move(why) : where + ": " + std::move(why),
                 .hint = std::move(hint)});
  }
};

Result<void> read(dom::element value, std::string_view field, const Place& place, std::string_view& out) {
  if (value.get_string().get(out)) return place.error(field, "it is not a string");
  return {};
}

Result<void> read(dom::element value, std::string_view field, const Place& place, std::string& out) {
  std::string_view text;
  AWRY_TRY(read(value, field, place, text));
  out = text;
  return {};
}

Result<void> read(dom::element value, std::string_view field, const Place& place, bool& out) {
  if (value.get_bool().get(out)) return place.error(field, "it is neither true nor false");
  return {};
}

Result<void> read(dom::element value, std::string_view field, const Place& place, int& out) {
  std::int64_t number = 0;
  if (value.get_int64().get(number)) return place.error(field, "it is not a whole number");
  if (number < -kMaxBlock || number > kMaxBlock) {
    return place.error(field, fmt::format("{} is out of range", number));
  }
  out = static_cast<int>(number);
  return {};
}

template <class T>
Result<void> read(dom::element value, std::string_view field, const Place& place, std::vector<T>& out) {
  dom::array array;
  if (value.get_array().get(array)) return place.error(field, "it is not a list");
  for (const dom::element element : array) AWRY_TRY(read(element, field, place, out.emplace_back()));
  return {};
}

// Panels come as a list; a figure came as a list of one, and is accepted as a plain string too.
Result<void> read_paths(dom::element value, std::string_view field, const Place& place,
                        std::vector<std::string_view>& out) {
  if (value.is_string()) return read(value, field, place, out.emplace_back());
  return read(value, field, place, out);
}

Result<void> read_field(dom::element value, std::string_view field, const Place& place,
                        ReleasedQuestion& question) {
  if (field == "question_id") return read(value, field, place, question.question_id);
  if (field == "issue") return read(value, field, place, question.issue);
  if (field == "scenario") return read(value, field, place, question.scenario);
  if (field == "sub_issues") return read(value, field, place, question.sub_issues);
  if (field == "ground_truth") return read(value, field, place, question.ground_truth);
  if (field == "paper_ids") return read(value, field, place, question.paper_ids);
  if (field == "has_issue") {
    question.says_has_issue = true;
    return read(value, field, place, question.has_issue);
  }
  if (field == "panel_paths" || field == "figure_path") {
    return read_paths(value, field, place, question.image_paths);
  }
  if (field == "mask_indices") return read(value, field, place, question.mask_indices);
  if (field == "mask_path") return read(value, field, place, question.mask_path);
  if (field == "mask_caption") return read(value, field, place, question.mask_caption);
  if (field == "num_blocks") return read(value, field, place, question.num_blocks);
  if (field == "figure_caption") return read(value, field, place, question.figure_caption);
  if (field == "figure_related_sentences")
    return read(value, field, place, question.figure_related_sentences);
  if (field == "inconsistent_part") return read(value, field, place, question.inconsistent_part);
  if (field == "tampered_sentences") return read(value, field, place, question.tampered_sentences);
  if (field == "golden_sentences") return read(value, field, place, question.golden_sentences);
  if (field == "panel_ids" || field == "figure_id") return {};  // the paths say the same
  question.unknown.raw.emplace_back(field, simdjson::minify(value));
  return {};
}

Result<void> check_names(dom::object object, const Place& place) {
  std::vector<std::string_view> names;
  names.reserve(object.size());
  for (const auto [field, value] : object) names.push_back(field);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) return place.error(*twice, "it is there twice");
  return {};
}

Result<void> read_question(dom::object object, Place& place, ReleasedQuestion& question) {
  AWRY_TRY(check_names(object, place));
  question.file = place.file;
  for (const auto [field, value] : object) AWRY_TRY(read_field(value, field, place, question));
  if (question.question_id.empty()) return place.error("question_id", "it is missing or empty");
  if (question.image_paths.empty()) return place.error("panel_paths", "no image is named");
  return {};
}

}  // namespace

Result<QuestionFile> read_question_file(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(std::string text, read_file(path));
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);  // otherwise simdjson makes a copy
  const auto memory = std::make_shared<Memory>();
  memory->file = path.string();
  Place place{.file = memory->file};
  dom::element root;
  if (const auto code = memory->parser.parse(text).get(root)) {
    Error broken = explain_broken_json(text, simdjson::error_message(code));
    return place.error("", std::move(broken.why), std::move(broken.hint));
  }
  dom::array list;
  // As released, or the list by itself.
  if (root["question"].get_array().get(list) && (root.get_array().get(list) || list.size() == 0)) {
    return place.error("", "it is neither a list of questions nor an object with a list named 'question'",
                       "Give a file of the release, such as forgery.json, or the folder that holds them.");
  }

  QuestionFile file{.memory = memory};
  file.questions.reserve(list.size());
  std::unordered_set<std::string_view> ids;
  for (const dom::element element : list) {
    ReleasedQuestion& question = file.questions.emplace_back();
    place.number = file.questions.size();
    place.id = {};
    dom::object object;
    if (element.get_object().get(object)) return place.error("", "it is not an object");
    if (object["question_id"].get_string().get(place.id)) place.id = {};  // read_question says why
    AWRY_TRY(read_question(object, place, question));
    if (!ids.insert(question.question_id).second) {
      return place.error("question_id", "another question in this file has the same id");
    }
  }
  return file;
}

bool looks_like_question_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string start(256, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
  std::erase_if(start, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  return start.starts_with(R"({"question":[)");
}

}  // namespace awry::benchmarks::themis
