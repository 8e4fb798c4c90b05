// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/magicmirror/rows.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <deque>

#include "awry/base/broken_json.h"
#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::benchmarks::magicmirror {
namespace {

namespace dom = simdjson::dom;
static_assert(LineReader::kPadding >= simdjson::SIMDJSON_PADDING);

// What holds a reply beside `response`, which may be the label.
constexpr std::array<std::string_view, 8> kOutputFields = {"output",       "reply",          "prediction",
                                                           "model_output", "model_response", "generated_text",
                                                           "completion",   "answer"};
constexpr std::array<std::string_view, 6> kListFields = {"data",    "rows",        "results",
                                                         "answers", "predictions", "annotations"};

std::string_view type_name(dom::element value) {
  switch (value.type()) {
    case dom::element_type::ARRAY:
      return "a list";
    case dom::element_type::OBJECT:
      return "an object";
    case dom::element_type::STRING:
      return "a string";
    case dom::element_type::BOOL:
      return "true or false";
    case dom::element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

}  // namespace

// simdjson's document tree rather than its on-demand reader: it checks the whole line before anything is
// believed, and picks the processor's best instructions at run time, which on-demand only does at compile
// time.
struct RowReader::State {
  LineReader lines;
  dom::parser parser;
  // A file that is one JSON document instead of lines: its rows, and their names where it is {id: row}.
  bool is_document = false;
  std::string document_text;
  dom::parser document_parser;
  std::vector<std::pair<std::string_view, dom::element>> entries;
  std::size_t entry = 0;
  Row row;
  std::deque<std::string> made;  // text that the line does not hold as such: numbers, objects
  std::string bare;              // members of a verdict met in the row itself

  explicit State(LineReader reader) : lines(std::move(reader)) {}

  tl::unexpected<Error> error(std::string why, std::string hint = "") const {
    return fail({.what = "cannot read rows",
                 .input = lines.file(),
                 .why = is_document ? fmt::format("entry {}: {}", entry, std::move(why))
                                    : fmt::format("line {}: {}", lines.line(), std::move(why)),
                 .hint = std::move(hint)});
  }
  tl::unexpected<Error> wrong_type(std::string_view field, dom::element value,
                                   std::string_view wanted) const {
    return error(fmt::format("field '{}' is {}, not {}", field, type_name(value), wanted));
  }
  std::string_view keep(std::string text) { return made.emplace_back(std::move(text)); }

  Result<void> read_text(std::string_view field, dom::element value, std::string_view& out) {
    if (value.get_string().get(out)) return wrong_type(field, value, "a string");
    return {};
  }

  Result<void> read_id(std::string_view field, dom::element value) {
    if (value.get_string().get(row.id) == simdjson::SUCCESS) return {};
    if (!value.is_int64() && !value.is_uint64()) return wrong_type(field, value, "a string or whole number");
    row.id = keep(simdjson::minify(value));
    return {};
  }

  Result<void> read_images(std::string_view field, dom::element value) {
    row.images.clear();
    if (value.is_string()) return read_text(field, value, row.images.emplace_back());
    dom::array list;
    if (value.get_array().get(list)) return wrong_type(field, value, "a string or a list of strings");
    for (const dom::element item : list) AWRY_TRY(read_text(field, item, row.images.emplace_back()));
    return {};
  }

  // A verdict is a reply, JSON inside a string, or JSON itself.
  Result<void> read_verdict(std::string_view field, dom::element value, std::string_view& out) {
    if (value.is_object()) {
      out = keep(simdjson::minify(value));
      return {};
    }
    if (value.get_string().get(out)) return wrong_type(field, value, "a string or an object");
    return {};
  }

  Result<void> read_flag(std::string_view field, dom::element value, std::optional<bool>& out) {
    bool flag = false;
    std::int64_t number = -1;
    if (value.get_bool().get(flag) == simdjson::SUCCESS) {
      out = flag;
    } else if (value.get_int64().get(number) == simdjson::SUCCESS && (number == 0 || number == 1)) {
      out = number == 1;
    } else {
      return wrong_type(field, value, "true or false");
    }
    return {};
  }

  Result<void> read_field(std::string_view field, dom::element value) {
    const bool is_output = std::ranges::find(kOutputFields, field) != kOutputFields.end();
    row.has_output |= is_output;
    row.is_of_a_run |= field == "asked";
    if (value.is_null()) return {};
    if (field == "id") return read_id(field, value);
    if (field == "images" || field == "gen_images" || field == "image" || field == "image_path") {
      return read_images(field, value);
    }
    if (field == "prompt_t2i") return read_text(field, value, row.prompt);
    if (field == "prompt") return row.prompt.empty() ? read_text(field, value, row.prompt) : Result<void>();
    if (field == "subject") return read_text(field, value, row.subject);
    if (field == "class") return read_text(field, value, row.subject_class);
    if (field == "detail_class") return read_text(field, value, row.detail_class);
    if (field == "has_subject") return read_flag(field, value, row.has_subject);
    if (field == "response") return read_verdict(field, value, row.response);
    if (is_output) {
      const std::string_view before = row.output;
      AWRY_TRY(read_verdict(field, value, row.output));
      if (before.empty() || before == row.output) return {};
      return error(fmt::format("'{}' and another field differ, and either could be the reply", field),
                   "Call the assessor's words 'output', or remove the other.");
    }
    if (field == "ground_truth" || field == "label" || field == "labels") {
      return read_verdict(field, value, row.ground_truth);
    }
    if (field == "Whether Normal" || field == "Type of Deformity" || field == "Type of Abnormality") {
      bare +=
          fmt::format("{}\"{}\": {}", bare.empty() ? "" : ", ", field, std::string(simdjson::minify(value)));
    }
    return {};
  }

  void begin_row(std::size_t number) {
    made.clear();
    bare.clear();
    std::vector<std::string_view> images = std::move(row.images);
    images.clear();
    row = {.line = number, .images = std::move(images)};
  }

  Result<void> read(std::string_view text) {
    begin_row(lines.line());
    dom::element root;
    if (const auto code = parser.parse(text.data(), text.size(), false).get(root)) {
      // Not where in the line: the line is named, and a second place beside it would confuse.
      return error(fmt::format("the JSON is broken or cut off: {}", simdjson::error_message(code)),
                   explain_broken_json(text, "").hint);
    }
    return read_fields(root);
  }

  Result<void> read_fields(dom::element root) {
    dom::object object;
    if (root.get_object().get(object)) return error(fmt::format("it is {}, not an object", type_name(root)));
    for (const auto [field, value] : object) AWRY_TRY(read_field(field, value));
    if (!bare.empty()) row.bare = keep("{" + bare + "}");
    return {};
  }

  Result<void> read_entry() {
    const auto& [name, value] = entries[entry++];
    begin_row(entry);
    dom::object object;
    if (!name.empty() && value.get_object().get(object)) {
      row.has_output = true;
      if (!value.is_null()) AWRY_TRY(read_verdict(name, value, row.output));
    } else if (!name.empty() && !holds_a_row(object)) {
      row.has_output = true;
      row.output = keep(simdjson::minify(value));  // a verdict in JSON
    } else {
      AWRY_TRY(read_fields(value));
    }
    if (row.id.empty()) row.id = name;
    return {};
  }

  // Something that read_field knows, other than a verdict's own members.
  static bool holds_a_row(dom::object object) {
    static constexpr std::array<std::string_view, 10> kOthers = {
        "id",    "images",     "gen_images",   "image",       "image_path",
        "class", "prompt_t2i", "ground_truth", "has_subject", "response"};
    return std::ranges::any_of(object, [](const dom::key_value_pair& each) {
      return std::ranges::find(kOthers, each.key) != kOthers.end() || each.key == "label" ||
             std::ranges::find(kOutputFields, each.key) != kOutputFields.end();
    });
  }

  // Whether the file is one document, which its first lines tell: a list, or an object that does not end with
  // its line or is no row.
  static Result<bool> begins_a_document(const std::filesystem::path& path) {
    AWRY_TRY_ASSIGN(LineReader reader, LineReader::open(path));
    dom::parser parser;
    for (;;) {
      AWRY_TRY_ASSIGN(const std::optional<std::string_view> line, reader.next());
      if (!line) return false;
      const std::string_view content = trim(*line);
      if (content.empty()) continue;
      if (content.front() == '[' || content == "{") return true;
      dom::object object;
      if (parser.parse(simdjson::padded_string(content)).get_object().get(object)) {
        // A broken line, or an object that goes on in the next one.
        AWRY_TRY_ASSIGN(const std::string whole, read_file(path));
        return parser.parse(whole).error() == simdjson::SUCCESS;
      }
      const bool is_row =
          holds_a_row(object) || object.size() < 2 || object["Whether Normal"].error() == simdjson::SUCCESS ||
          object["asked"].error() == simdjson::SUCCESS || object["prompt"].error() == simdjson::SUCCESS;
      return !is_row;
    }
  }

  Result<void> open_document(const std::filesystem::path& path) {
    AWRY_TRY_ASSIGN(document_text, read_file(path));
    if (document_text.starts_with("\xEF\xBB\xBF")) document_text.erase(0, 3);
    is_document = true;
    dom::element root;
    if (const auto code = document_parser.parse(document_text).get(root)) {
      Error broken = explain_broken_json(document_text, simdjson::error_message(code));
      broken.what = "cannot read rows", broken.input = lines.file();
      return fail(std::move(broken));
    }
    dom::array list;
    dom::object object;
    if (!root.get_object().get(object)) {
      for (const std::string_view name : kListFields) {
        if (!object[name].get_array().get(list)) root = object[name];
      }
    }
    if (!root.get_array().get(list)) {
      for (const dom::element each : list) entries.emplace_back(std::string_view(), each);
    } else {
      for (const auto [name, value] : object) entries.emplace_back(name, value);
    }
    return {};
  }
};

RowReader::RowReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
RowReader::~RowReader() = default;
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;

Result<RowReader> RowReader::open(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(LineReader lines, LineReader::open(path));
  auto state = std::make_unique<State>(std::move(lines));
  AWRY_TRY_ASSIGN(const bool is_document, State::begins_a_document(path));
  if (is_document) AWRY_TRY(state->open_document(path));
  return RowReader(std::move(state));
}

Result<const Row*> RowReader::next() {
  if (state_->is_document) {
    if (state_->entry == state_->entries.size()) return nullptr;
    AWRY_TRY(state_->read_entry());
    return &state_->row;
  }
  for (;;) {
    AWRY_TRY_ASSIGN(const std::optional<std::string_view> line, state_->lines.next());
    if (!line) return nullptr;
    if (trim(*line).empty()) continue;
    AWRY_TRY(state_->read(*line));
    return &state_->row;
  }
}

const std::string& RowReader::file() const {
  return state_->lines.file();
}

tl::unexpected<Error> RowReader::error(std::string why, std::string hint) const {
  return state_->error(std::move(why), std::move(hint));
}

Result<std::filesystem::path> rows_file(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  std::vector<fs::path> last_stage, any;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("_vllm.jsonl")) last_stage.push_back(entry.path());
    if (name.ends_with(".jsonl")) any.push_back(entry.path());
  }
  if (last_stage.size() == 1) return last_stage.front();
  if (any.size() == 1) return any.front();
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot find rows",
               .input = path.string(),
               .why = any.empty() ? std::string("the folder has no .jsonl file")
                                  : fmt::format("the folder has {} .jsonl files", any.size()),
               .hint = "Name the file itself."});
}

std::string_view truth_text(const Row& row) {
  if (!row.ground_truth.empty()) return row.ground_truth;
  return row.response.empty() ? row.bare : row.response;
}

std::string_view reply_text(const Row& row) {
  if (row.has_output) return row.output;
  return row.response.empty() ? row.bare : row.response;
}

std::string_view image_name(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

}  // namespace awry::benchmarks::magicmirror
