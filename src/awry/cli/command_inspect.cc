// SPDX-License-Identifier: Apache-2.0
// awry inspect PATH...: the embedded inspectors over images, folders and PDFs.
#include <algorithm>

#include "awry/base/files.h"
#include "awry/cli/command.h"
#include "awry/cli/inspect_output.h"
#include "awry/cli/inspect_sarif.h"
#include "awry/cli/version.h"
#include "awry/pipeline/inspect_collection.h"
#include "awry/pipeline/inspect_sources.h"

namespace awry::cli {
namespace {

using pipeline::InspectedImage;

struct InspectOptions {
  std::vector<std::string> images;
  int jobs = 0;
  Limit limit;
  bool alone = false;
  bool gate = false;
  std::filesystem::path journal;
  bool json = false;
  std::filesystem::path output;
};

void declare(InspectOptions& options, OptionSet& set) {
  set.describe(
      "Looks for copied, moved and pasted content in each image, and for panels that appear again anywhere "
      "among the images, on this machine alone. Of PDFs it takes the figures, cuts them into panels, and "
      "also "
      "asks whether captions and sentences fit the figures. A finding is a reason to look again, not a "
      "verdict: "
      "each comes with its evidence. A file that cannot be read is reported and does not stop the rest.");
  set.positionals(options.images, "image",
                  {.help = "Image files, PDFs, or folders of them.", .required = true});
  declare_jobs(set, options.jobs);
  declare_limit(set, options.limit);
  set.flag(options.alone, "alone", {.help = "Look at each image by itself; do not compare them."});
  set.flag(options.gate, "gate", {.help = "End with exit code 4 when anything but faint traces was found."});
  set.value(options.journal, "journal",
            {.placeholder = "FILE",
             .help = "Keep every inspection in FILE and take from it what is known: the same command goes on "
                     "where it was stopped."});
  declare_json(set, options.json);
  declare_output(set, options.output, {".html", ".json", ".jsonl", ".sarif", ".csv", ".md", ".txt"});
  set.example("awry inspect figures/", "everything in a folder, alone and against each other");
  set.example("awry inspect figures/ -o look.html", "a page with the findings drawn on the images");
  set.example("awry inspect paper.pdf", "every panel of a paper, and its words against its figures");
}

Result<void> write_results(const InspectionResults& results, const InspectOptions& options,
                           Context& context) {
  const std::string ending = options.output.extension().string();
  if (ending == ".html") {
    std::vector<InspectedImage> all(results.pairs.begin(), results.pairs.end());
    all.insert(all.end(), results.images.begin(), results.images.end());
    report::ReportInput input = pipeline::report_of(all);
    input.run.awry_version = version();
    AWRY_TRY_ASSIGN(const std::string page, report::render_html(input));
    return write_file(options.output, page);
  }
  if (ending == ".json") return write_file(options.output, inspection_json(results));
  if (ending == ".jsonl") return write_file(options.output, inspection_json_lines(results));
  if (ending == ".sarif") return write_file(options.output, inspection_sarif(results, version()));
  if (options.json && options.output.empty()) {
    context.out.write(inspection_json(results));
    return {};
  }
  const Fold faint = context.talk.verbose || !options.output.empty() ? Fold::kNo : Fold::kYes;
  return write_table(context.out, inspection_table(results, faint), {.file = options.output});
}

struct Counts {
  std::size_t unreadable = 0, with_findings = 0, faint = 0, undecided = 0;
};

Counts count(std::span<const InspectedImage> inspected) {
  Counts counts;
  for (const InspectedImage& image : inspected) {
    const auto& findings = image.inspection.findings;
    const bool any_clear =
        std::ranges::any_of(findings, [](const Finding& f) { return band_of(f) != Band::kFaint; });
    counts.unreadable += image.error ? 1 : 0;
    counts.with_findings += any_clear ? 1 : 0;
    counts.faint += !any_clear && !findings.empty() ? 1 : 0;
    counts.undecided += image.inspection.undecided.empty() ? 0 : 1;
  }
  return counts;
}

Result<int> run(const InspectOptions& options, Context& context) {
  auto journal = std::make_unique<pipeline::InspectionJournal>();
  if (!options.journal.empty()) {
    AWRY_TRY_ASSIGN(journal, pipeline::InspectionJournal::open(options.journal));
  }
  const pipeline::InspectOptions inspecting{.threads = job_count(options.jobs),
                                            .progress = context.progress(),
                                            .cancel = &context.cancel,
                                            .journal = options.journal.empty() ? nullptr : journal.get()};
  const TemporaryFolder figures_of_papers;
  AWRY_TRY_ASSIGN(const pipeline::InspectSources sources,
                  pipeline::gather_inspect_sources(options.images, figures_of_papers.path(), inspecting));
  const auto [first, last] = options.limit.range_of(sources.panels.size());
  const std::span<const Sample> chosen = std::span(sources.panels).subspan(first, last - first);
  std::vector<Sample> looked_at(chosen.begin(), chosen.end());
  looked_at.insert(looked_at.end(), sources.figures.begin(), sources.figures.end());
  std::vector<InspectedImage> inspected = pipeline::inspect_images(looked_at, inspecting);
  inspected.insert(inspected.end(), sources.unreadable.begin(), sources.unreadable.end());
  pipeline::ReusedPanels reused;
  if (!options.alone && chosen.size() > 1) reused = pipeline::find_reused_panels(chosen, inspecting);
  AWRY_TRY(write_results({.images = inspected, .pairs = reused.pairs}, options, context));

  const Counts alone = count(inspected);
  for (const InspectedImage& image : inspected) {
    if (image.error) context.say("{} {}", context.err.paint(Tone::kBad, "awry:"), image.error->message());
  }
  if (sources.papers > 0) {
    context.say("Took {} panels from the figures of {} papers; {} figures were compared with their words.",
                sources.panels.size(), sources.papers, sources.figures.size());
  }
  context.say("Looked at {} of {} images: findings in {}, {} unreadable.",
              inspected.size() - alone.unreadable, looked_at.size() + sources.unreadable.size(),
              alone.with_findings, alone.unreadable);
  if (!options.alone && chosen.size() > 1) {
    context.say("Compared them with each other: {} pairs share content ({} looked alike at first).",
                reused.pairs.size(), reused.proposed);
  }
  if (alone.faint > 0) context.say("Faint traces in {} more: -v shows them.", alone.faint);
  if (alone.undecided + reused.undecided > 0)
    context.say("Left open in {}: something is there, but not enough to call it either way.",
                alone.undecided + reused.undecided);
  if (!options.output.empty()) context.say("Written to {}", options.output.string());
  // Who asked for a gate wants to hear of findings above all.
  if (options.gate && alone.with_findings + reused.pairs.size() > 0) return kExitGate;
  return alone.unreadable > 0 ? kExitPartial : kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_inspect() {
  return make_command<InspectOptions>(declare, run);
}

}  // namespace awry::cli
