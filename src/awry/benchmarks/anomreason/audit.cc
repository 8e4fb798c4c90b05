// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/anomreason/audit.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "awry/base/broken_json.h"
#include "awry/base/files.h"
#include "awry/base/text.h"
#include "awry/benchmarks/anomreason/annotation_file.h"
#include "awry/benchmarks/option_reader.h"
#include "awry/parse/anomalies.h"
#include "awry/parse/anomaly_fields.h"
#include "awry/parse/severity.h"
#include "awry/score/self_check.h"
#include "awry/score/signature.h"

namespace awry::benchmarks::anomreason {
namespace {

namespace dom = simdjson::dom;

struct Place {
  std::string file;
  std::size_t line = 0;

  tl::unexpected<Error> error(std::string why, std::string hint = "") const {
    return fail({.what = "cannot read the audit",
                 .input = fmt::format("{}:{}", file, line),
                 .why = std::move(why),
                 .hint = std::move(hint)});
  }
};

Result<std::optional<double>> severity_of(dom::object anomaly, std::size_t number, const Place& place) {
  for (const auto [name, value] : anomaly) {
    if (parse::anomaly_field_named(name) != parse::AnomalyField::kSeverity || value.is_null()) continue;
    std::string_view words;
    double score = 0;
    if (!value.get_string().get(words)) {
      const auto read = parse::read_severity(words);
      return read ? std::optional(read->value) : std::nullopt;
    }
    if (!value.is_number() || value.get_double().get(score)) {
      return place.error(fmt::format("the severity of anomaly {} is neither a number nor a text", number));
    }
    return score;
  }
  return std::nullopt;
}

Result<void> read_anomalies(dom::element value, const Place& place, AuditLine& out) {
  dom::array list;
  if (value.is_null()) return {};
  if (value.get_array().get(list)) return place.error("'anomalies' is not a list");
  for (const dom::element element : list) {
    dom::object anomaly;
    const std::size_t number = out.audited.severities.size() + 1;
    if (element.get_object().get(anomaly)) {
      return place.error(fmt::format("anomaly {} is not an object", number));
    }
    AWRY_TRY_ASSIGN(const std::optional<double> severity, severity_of(anomaly, number, place));
    out.audited.severities.push_back(severity);
  }
  return {};
}

Result<void> read_reply(dom::element value, const Place& place, AuditLine& out) {
  std::string_view text;
  if (value.get_string().get(text)) return place.error("'reply' is not a string");
  const auto read = parse::read_anomalies(text);
  if (!read) {
    out.outcome = Outcome::kUnparsable;
    return {};
  }
  for (const Finding& finding : read->value) out.audited.severities.push_back(finding.severity);
  return {};
}

Result<AuditLine> read_line(dom::element root, const Place& place) {
  AuditLine line;
  dom::object object;
  dom::element value;
  if (root.get_object().get(object)) return place.error("the line is not a JSON object");
  for (auto [name, text] : {std::pair("generator", &line.generator), std::pair("image", &line.image)}) {
    std::string_view read;
    if (std::string_view(name) == "generator" && object[name].error() != simdjson::SUCCESS) name = "model";
    if (object[name].get_string().get(read) || trim(read).empty()) {
      return place.error(
          fmt::format("it has no text field '{}'", text == &line.image ? "image" : "generator"),
          "Each line should look like {\"generator\": \"...\", \"image\": \"...\", "
          "\"anomalies\": [...]}.");
    }
    *text = std::string(trim(read));
  }
  const bool lists = !object["anomalies"].get(value);
  if (lists) AWRY_TRY(read_anomalies(value, place, line));
  if (!object["reply"].get(value)) {
    if (lists) return place.error("it has both 'anomalies' and 'reply'");
    AWRY_TRY(read_reply(value, place, line));
  } else if (!lists) {
    return place.error("it has neither 'anomalies' nor 'reply'",
                       "An image without anomalies has the empty list.");
  }
  if (const auto audited = score::audit_image(line.audited); !audited)
    return place.error(audited.error().why);
  return line;
}

// Three images whose audit is known by hand: MAI 2/3, AF 1, CAP 2/3. Without anomalies all are 0.
Result<void> check_metrics_first() {
  const std::vector<score::AuditedImage> known = {{{0.0, 50.0}}, {}, {{50.0}}};
  const std::vector<score::AuditedImage> permuted = {{}, {{50.0}}, {{50.0, 0.0}}};
  const std::vector<score::AuditedImage> empty(3);
  using Value = score::AuditValue score::GeneratorAudit::*;
  const auto value = [](std::span<const score::AuditedImage> images, Value which) {
    return ((*score::audit_generator(images, {.resamples = 0})).*which).value;
  };
  struct Check {
    std::string name;
    Value which;
    double wanted;
  };
  for (const Check& check :
       {Check{"mai", &score::GeneratorAudit::mai, 2.0 / 3}, Check{"af", &score::GeneratorAudit::af, 1.0},
        Check{"cap", &score::GeneratorAudit::cap, 2.0 / 3}}) {
    AWRY_TRY(score::check_metric({.metric = "audit/" + check.name,
                                  .perfect = [&] { return value(known, check.which); },
                                  .empty = [&] { return value(empty, check.which); },
                                  .permuted = [&] { return value(permuted, check.which); },
                                  .best = check.wanted}));
  }
  return {};
}

struct Generator {
  std::string name;
  std::vector<const AuditLine*> lines;  // those that could be read
  std::size_t unread = 0;
};

std::vector<Generator> by_generator(std::span<const AuditLine> lines) {
  std::vector<Generator> generators;
  std::map<std::string_view, std::size_t> places;
  for (const AuditLine& line : lines) {
    const auto [place, fresh] = places.emplace(line.generator, generators.size());
    if (fresh) generators.push_back({.name = line.generator});
    Generator& generator = generators[place->second];
    if (line.outcome == Outcome::kAnswered) {
      generator.lines.push_back(&line);
    } else {
      ++generator.unread;
    }
  }
  return generators;
}

Result<void> summarise(const Generator& generator, const score::BootstrapOptions& options, Summary& summary) {
  const auto note = [&](std::string text) {
    summary.notes.push_back(fmt::format("{}: {}", generator.name, text));
  };
  if (generator.unread > 0) {
    note(fmt::format("{} of {} replies could not be read; those images are left out", generator.unread,
                     generator.unread + generator.lines.size()));
  }
  if (generator.lines.empty()) return {};
  std::vector<score::AuditedImage> images;
  for (const AuditLine* line : generator.lines) images.push_back(line->audited);
  AWRY_TRY_ASSIGN(const score::GeneratorAudit audit, score::audit_generator(images, options));
  if (audit.unrated > 0) {
    note(
        fmt::format("{} of {} anomalies have no severity that can be read; they add nothing to mai, whose "
                    "range shows what they could add",
                    audit.unrated, audit.anomalies));
  }

  const auto add = [&](std::string_view key, const score::AuditValue& value, std::string_view formula) {
    score::Signature signature(fmt::format("audit/{}", key));
    signature.set("formula", formula).set("over", "images").set("unrated", "0").set("unreadable", "left-out");
    summary.metrics.push_back({.key = std::string(key),
                               .group = generator.name,
                               .label = to_upper_ascii(key),
                               .value = value.value,
                               .interval = value.interval,
                               .missing = value.unrated,
                               .count = audit.images,
                               .signature = signature.text()});
  };
  add("mai", audit.mai, "mean-of-sum(1-severity/100)");
  add("af", audit.af, "mean-count");
  add("cap", audit.cap, "mai*af");

  for (const AuditLine* line : generator.lines) {
    AWRY_TRY_ASSIGN(const score::ImageAudit image, score::audit_image(line->audited));
    const auto score = [&](std::string_view key, double value) {
      summary.scores.push_back({.sample_id = line->image,
                                .metric = fmt::format("audit/{}/{}", generator.name, key),
                                .value = value});
    };
    score("mai", image.implausibility);
    score("af", static_cast<double>(image.anomalies));
  }
  return {};
}

bool has_field_of_a_line(dom::object object) {
  return std::ranges::any_of(std::array{"generator", "image", "anomalies", "reply"},
                             [&](const char* name) { return object[name].error() == simdjson::SUCCESS; });
}

// {generator: {image: [anomaly, ...]}}
bool holds_generators(dom::object object) {
  return object.size() > 0 && std::ranges::all_of(object, [](const dom::key_value_pair& each) {
           dom::object images;
           if (each.value.get_object().get(images) || has_field_of_a_line(images)) return false;
           return std::ranges::all_of(images, [](const dom::key_value_pair& image) {
             return image.value.is_null() || image.value.is_array();
           });
         });
}

// One document {image: [anomaly, ...]} in place of lines, or the same as a list: the annotations of one
// generator, as released. Lines lacking their generator must not pass for that.
bool is_annotation_file(const std::string& text) {
  dom::parser parser;
  dom::element root, generator;
  dom::object object;
  dom::array list;
  if (parser.parse(text).get(root)) return false;
  if (!root.get_object().get(object)) return !has_field_of_a_line(object) && !holds_generators(object);
  return !root.get_array().get(list) && list.size() > 0 &&
         (list.at(0).get_object().get(object) ||
          (object["generator"].get(generator) && object["model"].get(generator)));
}

Result<std::vector<AuditLine>> read_annotations(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const AnnotationFile file, read_annotation_file(path));
  std::vector<AuditLine> lines;
  for (const Annotation& annotation : file.annotations) {
    AuditLine& line =
        lines.emplace_back(AuditLine{.generator = path.stem().string(), .image = annotation.image});
    std::vector<Finding> findings = annotation.findings;
    if (annotation.reply) {
      if (auto read = parse::read_anomalies(*annotation.reply)) {
        findings = std::move(read->value);
      } else {
        line.outcome = Outcome::kUnparsable;
      }
    }
    for (const Finding& finding : findings) line.audited.severities.push_back(finding.severity);
  }
  return lines;
}

// Lines, or entries of a list, with their numbers.
class LineCollector {
 public:
  explicit LineCollector(const std::filesystem::path& path) : place_{.file = path.string()} {}

  void pass_over() { ++place_.line; }

  Result<void> add(dom::element root) {
    ++place_.line;
    AWRY_TRY_ASSIGN(AuditLine line, read_line(root, place_));
    const auto [first, fresh] = seen_.emplace(std::pair(line.generator, line.image), place_.line);
    if (!fresh) {
      return place_.error(fmt::format("image '{}' of '{}' was already in line {}", line.image, line.generator,
                                      first->second));
    }
    lines_.push_back(std::move(line));
    return {};
  }

  // The line that comes next.
  tl::unexpected<Error> broken(std::string why, std::string hint) {
    ++place_.line;
    return place_.error(std::move(why), std::move(hint));
  }

  std::vector<AuditLine> take() { return std::move(lines_); }

 private:
  Place place_;
  std::vector<AuditLine> lines_;
  std::map<std::pair<std::string, std::string>, std::size_t> seen_;
};

Result<std::vector<AuditLine>> read_generators(dom::object generators, const std::string& file) {
  std::vector<AuditLine> lines;
  for (const auto [generator, images] : generators) {
    std::set<std::string_view> seen;
    for (const auto [image, anomalies] : dom::object(images)) {
      const auto refuse = [&](const std::string& why) {
        return fail({.what = "cannot read the audit",
                     .input = file,
                     .why = fmt::format("'{}' of '{}': {}", image, generator, why)});
      };
      if (!seen.insert(image).second) return refuse("it is there twice");
      AuditLine& line = lines.emplace_back(
          AuditLine{.generator = std::string(generator), .image = std::string(base_name(image))});
      if (const auto read = read_anomalies(anomalies, {}, line); !read) return refuse(read.error().why);
      if (const auto audited = score::audit_image(line.audited); !audited) return refuse(audited.error().why);
    }
  }
  return lines;
}

// A single document in place of lines: a list of what lines hold, or generators with their images. nullopt:
// neither.
Result<std::optional<std::vector<AuditLine>>> read_document(const std::filesystem::path& path,
                                                            const std::string& text) {
  dom::parser parser;
  dom::element root;
  dom::object object;
  dom::array list;
  if (parser.parse(text).get(root)) return std::nullopt;
  if (!root.get_object().get(object)) {
    if (!holds_generators(object)) return std::nullopt;
    AWRY_TRY_ASSIGN(std::vector<AuditLine> lines, read_generators(object, path.string()));
    return lines;
  }
  if (root.get_array().get(list)) return std::nullopt;
  LineCollector lines(path);
  for (const dom::element element : list) AWRY_TRY(lines.add(element));
  return lines.take();
}

Result<std::vector<AuditLine>> read_lines(const std::filesystem::path& path, const std::string& text) {
  LineCollector lines(path);
  dom::parser parser;
  for (const std::string_view raw : split_lines(text)) {
    if (trim(raw).empty()) {
      lines.pass_over();
      continue;
    }
    dom::element root;
    if (const auto code = parser.parse(raw.data(), raw.size()).get(root)) {
      return lines.broken(fmt::format("the JSON is broken or cut off: {}", simdjson::error_message(code)),
                          explain_broken_json(raw, "").hint);
    }
    AWRY_TRY(lines.add(root));
  }
  return lines.take();
}

}  // namespace

Result<std::vector<AuditLine>> read_audit_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    AWRY_TRY_ASSIGN(const std::string text, read_file(path));
    const bool annotations = is_annotation_file(text);
    std::optional<std::vector<AuditLine>> document;
    if (!annotations) {
      AWRY_TRY_ASSIGN(document, read_document(path, text));
    }
    if (document && !document->empty()) return std::move(*document);
    AWRY_TRY_ASSIGN(std::vector<AuditLine> lines,
                    annotations ? read_annotations(path) : read_lines(path, text));
    if (lines.empty()) return Place{path.string(), 1}.error("it holds no images");
    return lines;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<AuditLine> lines;
  for (const std::filesystem::path& file : files) {
    AWRY_TRY_ASSIGN(const std::vector<AuditLine> more, read_annotations(file));
    lines.insert(lines.end(), more.begin(), more.end());
  }
  if (!lines.empty()) return lines;
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot read the audit",
               .input = path.string(),
               .why = "the folder holds no annotations",
               .hint = "Give each generator a file in it: SDXL.json, {image: [anomaly, ...]}."});
}

Result<Summary> audit(std::span<const AuditLine> lines, const ProtocolOptions& options) {
  OptionReader read(kAuditName, options);
  score::BootstrapOptions bootstrap;
  bootstrap.resamples = static_cast<std::size_t>(read.count("resamples", 2000));
  bootstrap.seed = static_cast<std::uint64_t>(read.count("seed", 0));
  AWRY_TRY(read.finish());
  AWRY_TRY(check_metrics_first());

  Summary summary{.protocol = std::string(kAuditName)};
  for (const AuditLine& line : lines) summary.outcomes.add(line.outcome);
  for (const Generator& generator : by_generator(lines)) {
    AWRY_TRY(summarise(generator, bootstrap, summary));
  }
  return summary;
}

}  // namespace awry::benchmarks::anomreason
