// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/anomreason/annotation_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "awry/base/broken_json.h"
#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/benchmarks/reply_entry.h"
#include "awry/parse/anomaly_fields.h"
#include "awry/parse/severity.h"

namespace awry::benchmarks::anomreason {
namespace {

// The tree shows every key of an object, also those that come twice; a map would lose one of them unseen.
namespace dom = simdjson::dom;

constexpr std::array<std::string_view, 5> kImageFields = {"image", "image_id", "image_path", "path",
                                                          "file_name"};
// A list of anomalies, or the text of one.
constexpr std::array<std::string_view, 9> kAnomalyFields = {"anomalies",   "annotations", "reply",
                                                            "response",    "output",      "prediction",
                                                            "predictions", "answer",      "findings"};
constexpr std::array<std::string_view, 2> kVerdictFields = {"verdict", "label"};
constexpr std::size_t kShownNotes = 5;

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path, WrittenBy written_by = WrittenBy::kPeople)
      : file_(path.string()), lenient_(written_by == WrittenBy::kModel) {}

  Result<dom::element> parse() {
    AWRY_TRY_ASSIGN(text_, read_file(file_));
    dom::element root;
    if (const auto code = parser_.parse(text_).get(root)) {
      if (is_in_lines()) return parse_lines();
      Error broken = explain_broken_json(text_, simdjson::error_message(code));
      return error("", std::move(broken.why), std::move(broken.hint));
    }
    return root;
  }

  // Calls found(name of the image, what the file holds for it) for every image; a plain string is a name
  // with nothing.
  template <class Found>
  Result<void> for_each_image(dom::element root, Found&& found) {
    dom::object object;
    dom::array list;
    if (!root.get_object().get(object)) {
      for (const auto [key, value] : object) AWRY_TRY(found(key, std::optional(value)));
      return {};
    }
    if (root.get_array().get(list)) return error("", "it is neither an object nor a list of images");
    std::size_t number = 0;
    for (const dom::element entry : list) {
      ++number;
      std::string_view name;
      if (!entry.get_string().get(name)) {
        AWRY_TRY(found(name, std::optional<dom::element>()));
        continue;
      }
      const std::string place = fmt::format("entry {}", number);
      if (entry.get_object().get(object)) return error(place, "it is neither an object nor a name");
      const auto field = std::find_if(kImageFields.begin(), kImageFields.end(), [&](std::string_view each) {
        return !object[each].get_string().get(name);
      });
      if (field != kImageFields.end()) {
        AWRY_TRY(found(name, std::optional(entry)));
      } else if (object.size() == 1) {
        const dom::key_value_pair only = *object.begin();
        AWRY_TRY(found(only.key, std::optional(only.value)));
      } else {
        return error(place, fmt::format("it names no image: none of {} is a string in it",
                                        fmt::join(kImageFields, ", ")));
      }
    }
    return {};
  }

  Result<Annotation> annotation(std::string_view key, std::optional<dom::element> value) {
    Annotation annotation{.key = std::string(key), .image = std::string(base_name(key))};
    if (annotation.image.empty()) return error(key, "it does not end in the name of a file");
    if (!value) return error(key, "it is named, but nothing is said about it");
    if (const auto read = read_value(*value, annotation); !read) {
      if (!lenient_) return fail(read.error());
      annotation.findings.clear();
      annotation.reply.reset();
      annotation.unreadable = read.error().why;
    }
    return annotation;
  }

  tl::unexpected<Error> error(std::string_view place, std::string why, std::string hint = "") const {
    return fail({.what = "cannot read AnomReason annotations",
                 .input = file_,
                 .why = place.empty() ? std::move(why) : fmt::format("'{}': {}", place, why),
                 .hint = std::move(hint)});
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes(
        notes_.begin(), notes_.begin() + static_cast<std::ptrdiff_t>(std::min(notes_.size(), kShownNotes)));
    if (notes_.size() > kShownNotes) {
      notes.push_back(
          fmt::format("and {} more such remarks on the annotations", notes_.size() - kShownNotes));
    }
    return notes;
  }

 private:
  bool is_in_lines() const {
    const std::string_view content = trim(text_);
    const std::size_t end = content.find('\n');
    dom::parser parser;
    dom::object first;
    return end != std::string_view::npos &&
           !parser.parse(std::string(content.substr(0, end))).get_object().get(first);
  }

  // As the list that they amount to.
  Result<dom::element> parse_lines() {
    std::string list = "[";
    std::size_t number = 0;
    for (const std::string_view line : split_lines(text_)) {
      ++number;
      if (trim(line).empty()) continue;
      dom::element each;
      if (const auto code = parser_.parse(std::string(line)).get(each)) {
        return error(fmt::format("line {}", number),
                     fmt::format("the JSON is broken or cut off: {}", simdjson::error_message(code)));
      }
      if (list.size() > 1) list += ',';
      list += line;
    }
    text_ = list + "]";
    dom::element root;
    if (const auto code = parser_.parse(text_).get(root)) return error("", simdjson::error_message(code));
    return root;
  }

  Result<void> read_value(dom::element value, Annotation& out) {
    dom::array list;
    dom::object object;
    std::string_view text;
    if (value.is_null()) return {};
    if (!value.get_string().get(text)) {
      out.reply = std::string(text);
      return {};
    }
    if (!value.get_array().get(list)) return read_items(list, out);
    if (!value.get_object().get(object)) return read_record(object, out);
    return error(
        out.key, "it is neither a list of anomalies nor null",
        "Each image has a list of {\"Name\", \"Observed Phenomenon\", \"Reasoning\", \"Severity Score\"}.");
  }

  Result<void> read_items(dom::array list, Annotation& out) {
    for (const dom::element element : list) {
      dom::object object;
      const std::size_t number = out.findings.size() + 1;
      if (element.get_object().get(object)) {
        return error(out.key, fmt::format("anomaly {} is not an object", number));
      }
      AWRY_TRY_ASSIGN(Finding finding, read_item(object, out.key, number));
      out.findings.push_back(std::move(finding));
    }
    return {};
  }

  Result<Finding> read_item(dom::object object, const std::string& key, std::size_t number) {
    Finding finding;
    std::array<bool, parse::kAnomalyFieldCount> seen{};
    for (const auto [name, value] : object) {
      const auto field = equals_ignoring_case(name, "observed") ? parse::AnomalyField::kPhenomenon
                                                                : parse::anomaly_field_named(name);
      if (!field) {
        finding.unknown.raw.emplace_back(name, simdjson::minify(value));
        continue;
      }
      bool& met = seen[static_cast<std::size_t>(*field)];
      if (met) return error(key, fmt::format("anomaly {} has the field '{}' twice", number, name));
      met = true;
      if (value.is_null()) continue;
      if (*field == parse::AnomalyField::kSeverity) {
        AWRY_TRY(read_severity(value, key, number, finding));
        continue;
      }
      std::string_view text;
      if (value.get_string().get(text)) {
        return error(key, fmt::format("anomaly {}, field '{}' is not a string", number, name));
      }
      (*field == parse::AnomalyField::kName         ? finding.name
       : *field == parse::AnomalyField::kPhenomenon ? finding.phenomenon
                                                    : finding.reasoning) = trim(text);
    }
    if (finding.phenomenon.empty() && finding.reasoning.empty() && !lenient_) {
      return error(key, fmt::format("anomaly {} has neither a phenomenon nor a reasoning", number),
                   "Fields are named Name, Observed Phenomenon, Reasoning and Severity Score, or name, "
                   "phenomenon, reasoning and severity.");
    }
    if (finding.phenomenon.empty()) remark(key, number, "has no phenomenon");
    if (finding.reasoning.empty()) remark(key, number, "has no reasoning");
    if (!finding.severity) remark(key, number, "has no severity that can be read");
    return finding;
  }

  // A number, or text such as "25/100 (noticeable)". Words that hold no score leave the item unrated.
  Result<void> read_severity(dom::element value, const std::string& key, std::size_t number,
                             Finding& finding) {
    double score = 0;
    std::string_view text;
    if (!value.get_string().get(text)) {
      if (const auto severity = parse::read_severity(text)) finding.severity = severity->value;
      return {};
    }
    if (!value.is_number() || value.get_double().get(score)) {
      if (lenient_) return {};
      return error(key, fmt::format("the severity of anomaly {} is neither a number nor a text", number));
    }
    if (!(score >= 0 && score <= 100)) {
      if (lenient_) return {};
      return error(key, fmt::format("the severity of anomaly {} is {}, not 0 to 100", number, score));
    }
    finding.severity = score;
    return {};
  }

  // {"image": ..., "anomalies": [...], "verdict": "fake"} or {"image": ..., "conversations": [...]}
  Result<void> read_record(dom::object object, Annotation& out) {
    bool told = false;
    std::unordered_set<std::string_view> seen;
    for (const auto [name, value] : object) {
      if (!seen.insert(name).second) return error(out.key, fmt::format("field '{}' is there twice", name));
      const bool tells = is_one_of(name, kAnomalyFields) || name == "conversations";
      if (tells && told) return error(out.key, "its anomalies are given in two ways");
      told |= tells;
      if (is_one_of(name, kAnomalyFields)) {
        dom::array list;
        std::string_view text;
        if (value.is_null()) continue;
        if (!value.get_string().get(text)) {
          out.reply = std::string(text);
          continue;
        }
        if (value.get_array().get(list))
          return error(out.key, fmt::format("'{}' is neither a list nor a text", name));
        AWRY_TRY(read_items(list, out));
      } else if (name == "conversations") {
        AWRY_TRY(read_conversation(value, out));
      } else if (is_one_of(name, kVerdictFields)) {
        AWRY_TRY(read_verdict(value, name, out));
      }
    }
    if (!told) {
      return error(out.key, "it says nothing about anomalies",
                   "Give them as 'anomalies', a list that may be empty.");
    }
    return {};
  }

  Result<void> read_verdict(dom::element value, std::string_view name, Annotation& out) {
    std::string_view words;
    if (value.is_null()) return {};
    if (value.get_string().get(words)) {
      std::int64_t number = -1;
      if (!value.get_int64().get(number)) words = number == 1 ? "1" : number == 0 ? "0" : "";
    }
    out.verdict = verdict_named(words);
    if (out.verdict.empty()) {
      return error(out.key, fmt::format("'{}' says neither real nor generated", name),
                   "Write \"real\" or \"generated\", \"no\" or \"yes\", 0 or 1.");
    }
    return {};
  }

  // The last turn of the model is its list of anomalies.
  Result<void> read_conversation(dom::element value, Annotation& out) {
    dom::array turns;
    if (value.get_array().get(turns)) return error(out.key, "'conversations' is not a list");
    for (const dom::element turn : turns) {
      std::string_view from, text;
      if (turn["from"].get_string().get(from) || turn["value"].get_string().get(text)) {
        return error(out.key, "a turn of 'conversations' lacks 'from' or 'value'");
      }
      if (from == "gpt") out.reply = std::string(text);
    }
    if (!out.reply) return error(out.key, "no turn of 'conversations' is from 'gpt'");
    return {};
  }

  void remark(std::string_view key, std::size_t number, std::string_view what) {
    notes_.push_back(fmt::format("'{}': anomaly {} {}", key, number, what));
  }

  std::string file_, text_;
  bool lenient_ = false;
  dom::parser parser_;
  std::vector<std::string> notes_;
};

}  // namespace

std::string_view base_name(std::string_view key) {
  const std::size_t slash = key.find_last_of("/\\");
  return slash == std::string_view::npos ? key : key.substr(slash + 1);
}

std::string_view source_in_path(std::string_view key) {
  const std::string path = "/" + replace_all(key, "\\", "/");
  if (path.find("/1_fake/") != std::string::npos) return kGenerated;
  if (path.find("/0_real/") != std::string::npos) return kReal;
  return "";
}

std::string_view verdict_named(std::string_view words) {
  static constexpr std::array<std::string_view, 6> kYes = {"yes",  "generated", "ai",
                                                           "fake", "synthetic", "1"};
  static constexpr std::array<std::string_view, 5> kNo = {"no", "real", "authentic", "photograph", "0"};
  std::vector<std::string> tokens = word_tokens(words);
  const bool negated = !tokens.empty() && tokens.front() == "not";
  if (negated) tokens.erase(tokens.begin());
  if (tokens.empty()) return "";
  // "real or fake?" says neither.
  const bool yes = is_one_of(tokens.front(), kYes), no = is_one_of(tokens.front(), kNo);
  if (!yes && !no) return "";
  if (tokens.size() > 1 && tokens[1] == "or") return "";
  return yes != negated ? kGenerated : kReal;
}

Result<AnnotationFile> read_annotation_file(const std::filesystem::path& path, WrittenBy written_by) {
  Reader reader(path, written_by);
  AWRY_TRY_ASSIGN(const dom::element root, reader.parse());
  AnnotationFile file;
  std::unordered_map<std::string, std::string> keys;
  AWRY_TRY(reader.for_each_image(
      root, [&](std::string_view key, std::optional<dom::element> value) -> Result<void> {
        AWRY_TRY_ASSIGN(Annotation annotation, reader.annotation(key, value));
        const auto [other, fresh] = keys.emplace(annotation.image, annotation.key);
        if (!fresh) {
          return reader.error(key,
                              other->second == key
                                  ? "this image is there twice"
                                  : fmt::format("'{}' has the same file name, by which images are told apart",
                                                other->second));
        }
        file.annotations.push_back(std::move(annotation));
        return {};
      }));
  file.notes = reader.notes();
  return file;
}

Result<bool> is_replies_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return true;
  AWRY_TRY_ASSIGN(const std::string text, read_file(path));
  const std::string_view content = trim(text);
  dom::parser parser;
  dom::object entry;
  dom::array list;
  if (content.starts_with('[')) {
    if (parser.parse(text).get_array().get(list) || list.size() == 0) return false;
    if (list.at(0).get_object().get(entry)) return false;
  } else if (parser.parse(std::string(content.substr(0, content.find('\n')))).get_object().get(entry)) {
    return false;
  }
  bool id = false, reply = false;
  for (const auto [name, value] : entry) {
    if (name == "asked") return true;
    if (is_one_of(name, kImageFields)) return false;
    id |= is_id_name(name);
    reply |= is_reply_name(name);
  }
  return id && reply;
}

Result<std::vector<std::string>> read_image_names(const std::filesystem::path& path) {
  Reader reader(path);
  AWRY_TRY_ASSIGN(const dom::element root, reader.parse());
  std::vector<std::string> names;
  AWRY_TRY(
      reader.for_each_image(root, [&](std::string_view key, std::optional<dom::element>) -> Result<void> {
        names.emplace_back(base_name(key));
        if (names.back().empty()) return reader.error(key, "it does not end in the name of a file");
        return {};
      }));
  return names;
}

}  // namespace awry::benchmarks::anomreason
