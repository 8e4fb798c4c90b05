// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/annotation_files.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "awry/base/json.h"
#include "awry/records/json.h"

namespace awry::pipeline {
namespace {

constexpr int kSchema = 1;

tl::unexpected<Error> io_error(std::string what, std::string input) {
  return fail({.kind = ErrorKind::kIo,
               .what = std::move(what),
               .input = std::move(input),
               .why = std::strerror(errno)});
}

std::filesystem::path unfinished(const std::filesystem::path& path) {
  return path.string() + ".unfinished";
}

}  // namespace

Result<OrderedTexts> OrderedTexts::make(std::size_t count) {
  OrderedTexts texts;
  texts.file_.reset(std::tmpfile());
  if (!texts.file_) return io_error("cannot make a temporary file", "");
  texts.places_.resize(count);
  return texts;
}

Result<void> OrderedTexts::put(std::size_t index, std::string_view text) {
  if (std::fseek(file_.get(), 0, SEEK_END) != 0) return io_error("cannot keep an annotation", "");
  places_[index] = {.offset = std::ftell(file_.get()), .size = text.size()};
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    return io_error("cannot keep an annotation", "");
  }
  return {};
}

Result<std::string> OrderedTexts::get(std::size_t index) const {
  const Place& place = places_[index];
  std::string text(place.size, '\0');
  if (std::fseek(file_.get(), place.offset, SEEK_SET) != 0 ||
      std::fread(text.data(), 1, text.size(), file_.get()) != text.size()) {
    return io_error("cannot read back an annotation", "");
  }
  return text;
}

Result<PiecewiseFile> PiecewiseFile::create(std::filesystem::path path) {
  PiecewiseFile file;
  file.path_ = std::move(path);
  file.file_.reset(std::fopen(unfinished(file.path_).c_str(), "wb"));
  if (!file.file_) return io_error("cannot write", file.path_.string());
  return file;
}

PiecewiseFile::~PiecewiseFile() {
  if (!file_) return;
  std::error_code ignored;
  std::filesystem::remove(unfinished(path_), ignored);
}

Result<void> PiecewiseFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    return io_error("cannot write", path_.string());
  }
  return {};
}

Result<void> PiecewiseFile::finish() {
  if (std::fflush(file_.get()) != 0 || fsync(fileno(file_.get())) != 0) {
    return io_error("cannot write", path_.string());
  }
  file_.reset();
  std::error_code error;
  std::filesystem::rename(unfinished(path_), path_, error);
  if (error) {
    return fail(
        {.kind = ErrorKind::kIo, .what = "cannot write", .input = path_.string(), .why = error.message()});
  }
  return {};
}

std::string released_entry(const agents::ImageAnnotation& annotation, bool with_verdicts) {
  if (annotation.failed) return "";
  Json list = Json::array();
  for (const agents::Anomaly& anomaly : annotation.anomalies) {
    const Finding& finding = anomaly.finding;
    Json item = {{"Name", finding.name},
                 {"Observed Phenomenon", finding.phenomenon},
                 {"Reasoning", finding.reasoning}};
    if (finding.severity) {
      const double whole = std::round(*finding.severity);
      item["Severity Score"] =
          whole == *finding.severity ? Json(static_cast<long long>(whole)) : Json(*finding.severity);
    }
    list.push_back(std::move(item));
  }
  if (!with_verdicts) return dump_json(Json(annotation.sample.id)) + ": " + dump_json(list);
  Json entry = {{"image", annotation.sample.id}};
  if (!annotation.verdict.empty()) entry["verdict"] = annotation.verdict;
  entry["anomalies"] = std::move(list);
  return dump_json(entry);
}

std::string print_costs(const std::vector<StageCost>& costs, std::size_t images, std::size_t objects) {
  Json json = {{"schema", kSchema}, {"images", images}, {"objects", objects}, {"stages", Json::array()}};
  for (const StageCost& cost : costs) {
    Json stage = {{"stage", agents::name_of(cost.stage)},
                  {"calls", cost.calls},
                  {"reasked", cost.reasked},
                  {"failed", cost.failed},
                  {"input_tokens", cost.usage.input_tokens},
                  {"output_tokens", cost.usage.output_tokens}};
    if (cost.usage.cost_usd) stage["cost_usd"] = *cost.usage.cost_usd;
    json["stages"].push_back(std::move(stage));
  }
  return dump_json_pretty(json);
}

std::string print_manifest(const Run& run) {
  Json manifest = {{"schema", kSchema}};
  manifest.update(to_json(run));
  return dump_json_pretty(manifest);
}

}  // namespace awry::pipeline
