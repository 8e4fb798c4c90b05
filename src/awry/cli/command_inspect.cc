// SPDX-License-Identifier: Apache-2.0
// awry inspect IMAGE...: the embedded inspectors over files and folders.
#include <algorithm>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/cli/command.h"
#include "awry/cli/table.h"
#include "awry/cli/version.h"
#include "awry/input/image_files.h"
#include "awry/pipeline/inspect_images.h"
#include "awry/records/json.h"

namespace awry::cli {
namespace {

using pipeline::InspectedImage;

struct InspectOptions {
  std::vector<std::string> images;
  int jobs = 0;
  Limit limit;
  bool gate = false;
  bool json = false;
  std::filesystem::path output;
};

void declare(InspectOptions& options, OptionSet& set) {
  set.describe(
      "Looks for copied, moved and pasted content in each image, on this machine alone. A finding is a "
      "reason "
      "to look again, not a verdict: each comes with its evidence. A file that cannot be read is reported "
      "and "
      "does not stop the rest.");
  set.positionals(options.images, "image", {.help = "Image files or folders of them.", .required = true});
  declare_jobs(set, options.jobs);
  declare_limit(set, options.limit);
  set.flag(options.gate, "gate", {.help = "End with exit code 4 when anything was found."});
  declare_json(set, options.json);
  declare_output(set, options.output, {".html", ".json", ".jsonl", ".csv", ".md", ".txt"});
  set.example("awry inspect figures/", "everything in a folder");
  set.example("awry inspect figures/ -o look.html", "a page with the findings drawn on the images");
}

std::string describe_where(const Finding& finding) {
  const auto extent = [](const Mask& mask) {
    std::size_t marked = 0;
    for (std::size_t i = 1; i < mask.runs.size(); i += 2) marked += mask.runs[i];
    const double all = std::max(1.0, static_cast<double>(mask.width) * mask.height);
    return fmt::format("{:.0f}% of the image", 100 * static_cast<double>(marked) / all);
  };
  if (const auto* pair = std::get_if<Pair>(&finding.where)) {
    return pair->in_second ? extent(*pair->in_second) : "two places";
  }
  if (const auto* mask = std::get_if<Mask>(&finding.where)) return extent(*mask);
  if (const auto* box = std::get_if<Box>(&finding.where)) {
    return fmt::format("{:.0f}x{:.0f} at {:.0f},{:.0f}", box->width, box->height, box->x, box->y);
  }
  return "whole image";
}

std::string describe_evidence(const Finding& finding) {
  std::string text;
  for (const Evidence& evidence : finding.evidence) {
    if (!text.empty()) text += "; ";
    text += evidence.note;
  }
  return text;
}

Table table_of(std::span<const InspectedImage> inspected) {
  Table table{.columns = {{.key = "image"},
                          {.key = "finding"},
                          {.key = "where"},
                          {.key = "false_alarms", .header = "false alarms", .decimals = 6},
                          {.key = "evidence", .max_width = 80}}};
  for (const InspectedImage& image : inspected) {
    if (image.error) {
      table.rows.push_back({image.sample.id, Cell("unreadable", Tone::kBad), {}, {}, image.error->why});
      continue;
    }
    if (image.inspection.findings.empty())
      table.rows.push_back({image.sample.id, Cell("nothing", Tone::kDim)});
    for (const Finding& finding : image.inspection.findings) {
      table.rows.push_back({image.sample.id, Cell(finding.type, Tone::kWarning), describe_where(finding),
                            finding.false_alarms ? Cell(*finding.false_alarms) : Cell(),
                            describe_evidence(finding)});
    }
  }
  return table;
}

Json json_of(const InspectedImage& image) {
  Json json = {{"image", image.sample.id}};
  if (image.error) {
    json["error"] = image.error->message();
    return json;
  }
  json["findings"] = Json::array();
  for (const Finding& finding : image.inspection.findings) json["findings"].push_back(to_json(finding));
  json["undecided"] = image.inspection.undecided;
  return json;
}

std::string as_json(std::span<const InspectedImage> inspected) {
  Json all = Json::array();
  for (const InspectedImage& image : inspected) all.push_back(json_of(image));
  return dump_json_pretty({{"images", std::move(all)}});
}

std::string as_json_lines(std::span<const InspectedImage> inspected) {
  std::string lines;
  for (const InspectedImage& image : inspected) lines += dump_json(json_of(image)) + "\n";
  return lines;
}

Result<void> write_results(std::span<const InspectedImage> inspected, const InspectOptions& options,
                           Context& context) {
  const std::string ending = options.output.extension().string();
  if (ending == ".html") {
    report::ReportInput input = pipeline::report_of(inspected);
    input.run.awry_version = version();
    AWRY_TRY_ASSIGN(const std::string page, report::render_html(input));
    return write_file(options.output, page);
  }
  if (ending == ".json") return write_file(options.output, as_json(inspected));
  if (ending == ".jsonl") return write_file(options.output, as_json_lines(inspected));
  if (options.json && options.output.empty()) {
    context.out.write(as_json(inspected));
    return {};
  }
  return write_table(context.out, table_of(inspected), {.file = options.output});
}

Result<int> run(const InspectOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(std::vector<Sample> samples, input::samples_of_image_files(options.images));
  const auto [first, last] = options.limit.range_of(samples.size());
  const auto inspected = pipeline::inspect_images(
      std::span(samples).subspan(first, last - first),
      {.threads = job_count(options.jobs), .progress = context.progress(), .cancel = &context.cancel});
  AWRY_TRY(write_results(inspected, options, context));

  std::size_t unreadable = 0, with_findings = 0;
  for (const InspectedImage& image : inspected) {
    if (image.error) {
      ++unreadable;
      context.say("{} {}", context.err.paint(Tone::kBad, "awry:"), image.error->message());
    }
    with_findings += image.inspection.findings.empty() ? 0 : 1;
  }
  context.say("Looked at {} of {} images: findings in {}, {} unreadable.", inspected.size() - unreadable,
              last - first, with_findings, unreadable);
  if (!options.output.empty()) context.say("Written to {}", options.output.string());
  if (unreadable > 0) return kExitPartial;
  return options.gate && with_findings > 0 ? kExitGate : kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_inspect() {
  return make_command<InspectOptions>(declare, run);
}

}  // namespace awry::cli
