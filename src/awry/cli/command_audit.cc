// SPDX-License-Identifier: Apache-2.0
// awry audit RUNS...: which image generators go wrong how often and how badly, and a gate for CI.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "awry/annotate/image_metadata.h"
#include "awry/annotate/review.h"
#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/cli/annotation_run.h"
#include "awry/cli/command.h"
#include "awry/cli/released_annotations.h"
#include "awry/cli/table.h"
#include "awry/report/audit_page.h"
#include "awry/score/generator_pairs.h"

namespace awry::cli {
namespace {

struct AuditOptions {
  std::vector<std::string> runs_named;
  std::filesystem::path runs = "runs", metadata, report, output;
  std::optional<double> max_cap;
  std::uint64_t seed = 0, resamples = 2000;
  bool verified = false, json = false;
};

void declare(AuditOptions& options, OptionSet& set) {
  set.describe(
      "For each generator: how severe the anomalies of its images are (MAI), how many there are (AF), and "
      "the "
      "product (CAP), with intervals. Generators are compared with the best on the prompts they share. Runs "
      "of "
      "different models are different assessors, whose rankings are compared. An image's generator comes "
      "from its "
      "metadata, or else is the folder it lies in.");
  set.positionals(
      options.runs_named, "run",
      {.help =
           "Runs of `awry annotate`: folders, ids, or annotations.jsonl files. Or plain files in "
           "AnomReason's form, {image: [anomalies]}, one for each generator and named after it; the folder "
           "they lie in names the assessor.",
       .required = true});
  set.value(options.metadata, "metadata",
            {.placeholder = "FILE",
             .help = "Prompts and generators of the images of plain files.",
             .default_text = "metadata.jsonl beside them"});
  set.value(options.max_cap, "max-cap",
            {.placeholder = "X",
             .help = "Exit with code 4 if the CAP of any generator is above this.",
             .minimum = 0});
  set.flag(options.verified, "verified", {.help = "Count only anomalies that most reviewers accept."});
  set.value(
      options.report, "report",
      {.placeholder = "FILE", .help = "A page with plots of severity and frequency.", .endings = {".html"}});
  set.value(options.resamples, "resamples",
            {.placeholder = "N", .help = "Of the bootstrap; 0: no intervals."});
  declare_seed(set, options.seed);
  declare_runs_folder(set, options.runs);
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry audit latest --max-cap 40", "fails a CI job when a generator gets worse");
  set.example("awry audit run-a run-b --report audit.html", "two assessors, with plots");
  set.example("awry audit gpt/flux.json gpt/sd3.json", "two generators, annotated elsewhere");
}

struct Generator {
  std::vector<score::AuditedImage> images;
  std::vector<score::PromptedAudit> prompted;
  score::GeneratorAudit audit;
};

struct Assessor {
  std::string name;
  std::map<std::string, Generator> generators;
  std::size_t failed = 0;  // images that could not be annotated
};

std::string generator_of(const Sample& sample) {
  if (const std::string_view named = annotate::attribute(sample, annotate::kGenerator); !named.empty()) {
    return std::string(named);
  }
  const std::string folder = std::filesystem::path(sample.id).parent_path().filename().string();
  return folder.empty() ? "images" : folder;
}

// Who annotated: the model of the run's manifest, or else the run itself.
std::string assessor_of(const AnnotationRun& run) {
  const Result<Json> manifest = read_json_file(run.folder / "manifest.json");
  if (manifest && manifest->is_object()) {
    if (const auto model = manifest->find("model"); model != manifest->end() && model->is_string()) {
      return model->get<std::string>();
    }
  }
  return run.id;
}

Result<void> add_annotations(std::span<const agents::ImageAnnotation> annotations, const std::string& who,
                             std::vector<Assessor>& assessors) {
  auto assessor = std::ranges::find(assessors, who, &Assessor::name);
  if (assessor == assessors.end()) {
    assessors.push_back({.name = who});
    assessor = assessors.end() - 1;
  }
  for (const agents::ImageAnnotation& annotation : annotations) {
    if (annotation.failed) {
      ++assessor->failed;
      continue;
    }
    score::AuditedImage image;
    for (const agents::Anomaly& anomaly : annotation.anomalies)
      image.severities.push_back(anomaly.finding.severity);
    AWRY_TRY_ASSIGN(const score::ImageAudit audit, score::audit_image(image));
    Generator& generator = assessor->generators[generator_of(annotation.sample)];
    generator.prompted.push_back(
        {std::string(annotate::attribute(annotation.sample, annotate::kPrompt)), audit});
    generator.images.push_back(std::move(image));
  }
  return {};
}

// A run's annotations.json says less than the run itself.
std::string run_or_file(const std::string& name) {
  const std::filesystem::path path = name;
  std::error_code ignored;
  const bool is_of_run = path.filename() == "annotations.json" &&
                         std::filesystem::exists(path.parent_path() / "annotations.jsonl", ignored);
  return is_of_run ? (path.parent_path() / "annotations.jsonl").string() : name;
}

Result<void> add_run(const AuditOptions& options, const std::string& named, std::vector<Assessor>& assessors,
                     std::vector<std::string>& notes) {
  const std::string name = run_or_file(named);
  if (is_released_file(name)) {
    if (options.verified) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot count only what reviewers accept in",
                   .input = name,
                   .why = "it is a plain file, which nobody can have reviewed here",
                   .hint = "Leave --verified out, or name a run of `awry annotate`."});
    }
    AWRY_TRY_ASSIGN(const ReleasedAnnotations released, read_released_annotations(name, options.metadata));
    notes.insert(notes.end(), released.notes.begin(), released.notes.end());
    return add_annotations(released.annotations, released.assessor, assessors);
  }
  AWRY_TRY_ASSIGN(AnnotationRun run, find_annotation_run(options.runs, name));
  if (options.verified) {
    AWRY_TRY_ASSIGN(const std::vector<Verdict> verdicts, verdicts_of(run));
    run.annotations = annotate::verified_only(run.annotations, annotate::count_votes(verdicts));
  }
  return add_annotations(run.annotations, assessor_of(run), assessors);
}

// Best first.
std::vector<std::pair<std::string, const Generator*>> ranking_of(const Assessor& assessor) {
  std::vector<std::pair<std::string, const Generator*>> ranking;
  for (const auto& [name, generator] : assessor.generators) ranking.emplace_back(name, &generator);
  std::ranges::stable_sort(ranking, {}, [](const auto& one) { return one.second->audit.cap.value; });
  return ranking;
}

void add_rows(const Assessor& assessor, const score::BootstrapOptions& bootstrap, Table& table) {
  const auto ranking = ranking_of(assessor);
  std::vector<std::optional<score::PairedDifference>> against(ranking.size());
  std::vector<double> p_values;
  for (std::size_t i = 1; i < ranking.size() && bootstrap.resamples > 0; ++i) {
    if (auto compared =
            score::compare_caps(ranking[0].second->prompted, ranking[i].second->prompted, bootstrap)) {
      against[i] = *compared;
      p_values.push_back(compared->p_value);
    }
  }
  const std::vector<double> corrected = score::holm(p_values);
  std::size_t next = 0;
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    const score::GeneratorAudit& audit = ranking[i].second->audit;
    const auto ends = [](const std::optional<Interval>& interval) {
      return interval ? std::pair(Cell(interval->low), Cell(interval->high)) : std::pair(Cell(), Cell());
    };
    const auto [low, high] = ends(audit.cap.interval);
    std::vector<Cell> row = {Cell(assessor.name),
                             Cell(ranking[i].first),
                             Cell(audit.images),
                             Cell(audit.mai.value),
                             Cell(audit.af.value),
                             Cell(audit.cap.value),
                             low,
                             high};
    if (against[i]) {
      row.insert(row.end(),
                 {Cell(against[i]->difference), Cell(corrected[next++]), Cell(against[i]->samples)});
    }
    table.rows.push_back(std::move(row));
  }
}

report::AuditSection section_of(const Assessor& assessor) {
  report::AuditSection section{.assessor = assessor.name};
  for (const auto& [name, generator] : ranking_of(assessor)) {
    const score::GeneratorAudit& audit = generator->audit;
    report::AuditedGenerator shown{.name = name,
                                   .images = audit.images,
                                   .mai = audit.mai.value,
                                   .af = audit.af.value,
                                   .cap = audit.cap.value,
                                   .mai_interval = audit.mai.interval,
                                   .af_interval = audit.af.interval,
                                   .cap_interval = audit.cap.interval};
    for (const score::AuditedImage& image : generator->images) {
      shown.anomalies_images.push_back(static_cast<double>(image.severities.size()));
      for (const auto& severity : image.severities) {
        if (severity) shown.severities.push_back(*severity);
      }
    }
    section.generators.push_back(std::move(shown));
  }
  return section;
}

std::map<std::string, double> caps_of(const Assessor& assessor) {
  std::map<std::string, double> caps;
  for (const auto& [name, generator] : assessor.generators) caps[name] = generator.audit.cap.value;
  return caps;
}

std::vector<std::string> compare_assessors(const std::vector<Assessor>& assessors) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < assessors.size(); ++i) {
    for (std::size_t j = i + 1; j < assessors.size(); ++j) {
      const auto agreement = score::compare_rankings(caps_of(assessors[i]), caps_of(assessors[j]));
      lines.push_back(
          agreement ? fmt::format("{} and {} rank {} generators by CAP: Spearman {:.3f}, Kendall {:.3f}",
                                  assessors[i].name, assessors[j].name, agreement->items, agreement->spearman,
                                  agreement->kendall_tau_b)
                    : fmt::format("{} and {}: {}", assessors[i].name, assessors[j].name,
                                  agreement.error().message()));
    }
  }
  return lines;
}

Result<int> run(const AuditOptions& options, Context& context) {
  std::vector<Assessor> assessors;
  std::vector<std::string> notes, above;
  for (const std::string& name : options.runs_named) AWRY_TRY(add_run(options, name, assessors, notes));
  if (std::ranges::all_of(assessors, [](const Assessor& one) { return one.generators.empty(); })) {
    return fail({.what = "cannot audit",
                 .input = fmt::format("{}", fmt::join(options.runs_named, ", ")),
                 .why = "there is no annotated image in it"});
  }
  const score::BootstrapOptions bootstrap{.resamples = options.resamples, .seed = options.seed};
  Table table{.columns = {{"assessor"},
                          {"generator"},
                          {"images"},
                          {"mai", "MAI"},
                          {"af", "AF"},
                          {"cap", "CAP"},
                          {"cap_low", "low"},
                          {"cap_high", "high"},
                          {"above_best", "above best"},
                          {"p_holm", "p (Holm)"},
                          {"prompts", "shared prompts"}}};
  report::AuditPage page{.title = "Audit of image generators"};
  for (Assessor& assessor : assessors) {
    for (auto& [name, generator] : assessor.generators) {
      AWRY_TRY_ASSIGN(generator.audit, score::audit_generator(generator.images, bootstrap));
      const score::GeneratorAudit& audit = generator.audit;
      if (audit.unrated > 0) {
        notes.push_back(fmt::format("{}: {} of {} anomalies have no severity and add nothing to MAI", name,
                                    audit.unrated, audit.anomalies));
      }
      if (options.max_cap && audit.cap.value > *options.max_cap) {
        above.push_back(fmt::format("{} (CAP {:.3f} by {})", name, audit.cap.value, assessor.name));
      }
    }
    if (assessor.failed > 0) {
      notes.push_back(fmt::format("{}: {} images could not be annotated and are left out", assessor.name,
                                  assessor.failed));
    }
    add_rows(assessor, bootstrap, table);
    page.sections.push_back(section_of(assessor));
  }
  for (std::string& line : compare_assessors(assessors)) notes.push_back(std::move(line));
  AWRY_TRY(write_table(context.out, table, {.json = options.json, .file = options.output}));
  for (const std::string& note : notes) context.say("{}", note);
  if (!options.report.empty()) {
    page.notes = notes;
    AWRY_TRY(write_file(options.report, report::render_audit_page(page)));
    context.say("Report: {}", options.report.string());
  }
  if (above.empty()) return kExitDone;
  context.say("Above --max-cap {}: {}.", *options.max_cap, fmt::join(above, ", "));
  return kExitGate;
}

}  // namespace

std::unique_ptr<CommandInstance> make_audit() {
  return make_command<AuditOptions>(declare, run);
}

}  // namespace awry::cli
