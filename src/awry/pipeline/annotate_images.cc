// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/annotate_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "awry/base/clock.h"
#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/text.h"
#include "awry/pipeline/asking_graph.h"
#include "awry/pipeline/evidence_check.h"
#include "awry/pipeline/parallel.h"
#include "awry/pipeline/run_files.h"
#include "awry/pipeline/run_record.h"
#include "awry/report/html.h"

namespace awry::pipeline {
namespace {

using agents::ImageAnnotation;
using agents::Stage;
using agents::StageRecord;

constexpr std::size_t kStages = static_cast<std::size_t>(Stage::kFormat) + 1;
using CostsByStage = std::array<StageCost, kStages>;

const benchmarks::Protocol kNoProtocol = {.name = kAnnotateProtocol};

// --- who answers which stage ---

struct Crew {
  std::vector<std::unique_ptr<Model>> models;
  std::vector<Respondent> respondents;
  std::array<std::size_t, kStages> by_stage{};  // places among them

  std::string identity() const {
    std::string text;
    for (const std::size_t place : by_stage) text += models[place]->identity() + '\n';
    return text;
  }
};

const std::string& model_for(Stage stage, const AnnotateOptions& options) {
  const auto own = options.stage_models.find(stage);
  return own == options.stage_models.end() ? options.model : own->second;
}

// Without the model itself: what is known of its price.
Respondent respondent_called(const std::string& name, const AnnotateOptions& options) {
  Respondent respondent{.pictures = options.endpoint.pictures};
  const std::string_view endpoint_name = endpoint_model_name(name);
  if (!endpoint_name.empty()) respondent.price = options.prices.of(endpoint_name);
  return respondent;
}

Result<Crew> hire(const AnnotateOptions& options) {
  Crew crew;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < kStages; ++i) {
    const std::string& name = model_for(static_cast<Stage>(i), options);
    const auto [place, is_new] = places.emplace(name, crew.models.size());
    crew.by_stage[i] = place->second;
    if (!is_new) continue;
    Respondent respondent = respondent_called(name, options);
    if (options.budget.max_cost_usd && !respondent.price) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot keep to --max-cost",
                   .input = name,
                   .why = "its price is not known",
                   .hint = "Name a file with its price: --price-file prices.json."});
    }
    AWRY_TRY_ASSIGN(std::unique_ptr<Model> model, make_model(name, options.endpoint, kNoProtocol));
    respondent.model = model.get();
    crew.respondents.push_back(respondent);
    crew.models.push_back(std::move(model));
  }
  return crew;
}

Result<void> hash_images(std::vector<Sample>& samples, const AnnotateOptions& options) {
  const std::size_t hashed = for_each_index(
      samples.size(), {.threads = options.threads, .cancel = options.cancel}, [&](std::size_t i) {
        for (ImageRef& image : samples[i].images) {
          // A file that cannot be read gets no hash; whoever sends it reports why.
          image.sha256 = sha256_hex_of_file(image.path).value_or(std::string());
        }
      });
  if (hashed == samples.size()) return {};
  return fail({.kind = ErrorKind::kCancelled, .what = "stopped before anything was asked"});
}

// --- from replies to annotations ---

// Keeps the graphs of the images under way; finished ones are written down and forgotten.
class Annotator final : public GraphSource {
 public:
  Annotator(const std::vector<Sample>& samples, const AnnotateOptions& options,
            const agents::StagePrompts& prompts, const Crew& crew, OrderedTexts annotations,
            OrderedTexts records)
      : samples_(samples),
        options_(options),
        prompts_(prompts),
        crew_(crew),
        annotations_(std::move(annotations)),
        records_(std::move(records)),
        costs_(samples.size()) {}

  std::vector<GraphQuestion> begin(std::size_t owner) override {
    Open& open = open_[owner];
    open.graph = std::make_unique<agents::ImageGraph>(samples_[owner], options_.agents, prompts_);
    return hand_out(open, open.graph->begin());
  }

  std::vector<GraphQuestion> take(std::size_t owner, const GraphQuestion& question,
                                  const Reply& reply) override {
    Open& open = open_.at(owner);
    const auto call = open.calls.find(question.ticket);
    std::vector<GraphQuestion> more = hand_out(open, open.graph->take(call->second, reply));
    open.calls.erase(call);
    if (open.graph->is_finished()) {
      write_down(owner, *open.graph);
      open_.erase(owner);
    }
    return more;
  }

  const OrderedTexts& annotations() const { return annotations_; }
  const OrderedTexts& records() const { return records_; }
  const std::vector<CostsByStage>& costs() const { return costs_; }
  Result<void> state() const {
    if (failure_) return fail(*failure_);
    return {};
  }

 private:
  struct Open {
    std::unique_ptr<agents::ImageGraph> graph;
    std::map<std::size_t, agents::Call> calls;  // by ticket
    std::size_t last_ticket = 0;
  };

  std::vector<GraphQuestion> hand_out(Open& open, std::vector<agents::Call> calls) {
    std::vector<GraphQuestion> questions;
    for (agents::Call& call : calls) {
      questions.push_back({.sample = &open.graph->sample(),
                           .question = call.question,
                           .reask = call.reask,
                           .respondent = crew_.by_stage[static_cast<std::size_t>(call.stage)],
                           .ticket = ++open.last_ticket});
      open.calls.emplace(open.last_ticket, std::move(call));
    }
    return questions;
  }

  void write_down(std::size_t owner, const agents::ImageGraph& graph) {
    std::string lines;
    for (const StageRecord& record : graph.records()) {
      lines += agents::print_record(record) + '\n';
      StageCost& cost = costs_[owner][static_cast<std::size_t>(record.stage)];
      ++cost.calls;
      if (!record.question.earlier.empty()) ++cost.reasked;
      if (record.outcome != Outcome::kAnswered) ++cost.failed;
      cost.usage.input_tokens += record.usage.input_tokens;
      cost.usage.output_tokens += record.usage.output_tokens;
      if (record.usage.cost_usd) {
        cost.usage.cost_usd = cost.usage.cost_usd.value_or(0) + *record.usage.cost_usd;
      }
    }
    note(records_.put(owner, lines));
    note(annotations_.put(owner, agents::print_annotation(graph.annotation()) + '\n'));
  }

  void note(Result<void> written) {
    if (!written && !failure_) failure_ = written.error();
  }

  const std::vector<Sample>& samples_;
  const AnnotateOptions& options_;
  const agents::StagePrompts& prompts_;
  const Crew& crew_;
  OrderedTexts annotations_, records_;
  std::vector<CostsByStage> costs_;  // summed in the order of images, so that rounding never differs
  std::unordered_map<std::size_t, Open> open_;
  std::optional<Error> failure_;
};

// --- files ---

std::vector<StageCost> total_costs(const std::vector<CostsByStage>& images) {
  std::vector<StageCost> totals;
  for (std::size_t i = 0; i < kStages; ++i) {
    StageCost total{.stage = static_cast<Stage>(i)};
    for (const CostsByStage& image : images) {
      total.calls += image[i].calls;
      total.reasked += image[i].reasked;
      total.failed += image[i].failed;
      total.usage.input_tokens += image[i].usage.input_tokens;
      total.usage.output_tokens += image[i].usage.output_tokens;
      if (image[i].usage.cost_usd) {
        total.usage.cost_usd = total.usage.cost_usd.value_or(0) + *image[i].usage.cost_usd;
      }
    }
    if (total.calls > 0) totals.push_back(total);
  }
  return totals;
}

void count(const ImageAnnotation& annotation, AnnotateResult& result) {
  ++result.images;
  if (annotation.failed) ++result.failed;
  if (!annotation.failed && !annotation.missing.empty()) ++result.incomplete;
  result.objects += annotation.objects.size();
  result.candidates += annotation.candidates.size();
  result.anomalies += annotation.anomalies.size();
  for (const agents::Anomaly& anomaly : annotation.anomalies) {
    if (anomaly.evidence == agents::EvidenceVerdict::kSupported) ++result.supported;
    if (anomaly.evidence == agents::EvidenceVerdict::kUnsupported) ++result.unsupported;
    if (anomaly.evidence == agents::EvidenceVerdict::kNotTestable) ++result.not_testable;
  }
  for (const agents::Missing& missing : annotation.missing) {
    const std::string about = missing.object.empty() ? "" : " of " + missing.object;
    result.failures.push_back(fmt::format("{}: {}{}: {}: {}", annotation.sample.id, name_of(missing.stage),
                                          about, name_of(missing.outcome), missing.why));
  }
}

report::Item report_item(const ImageAnnotation& annotation) {
  report::Item item{.sample = annotation.sample};
  const std::string id = annotation.sample.id + "/annotate";
  Answer answer{.question_id = id, .outcome = annotation.failed ? Outcome::kUnparsable : Outcome::kAnswered};
  std::vector<std::string> missing;
  for (const agents::Missing& one : annotation.missing) {
    missing.push_back(fmt::format("{} {}: {}", name_of(one.stage), one.object, name_of(one.outcome)));
  }
  if (!missing.empty()) answer.complaint = "missing: " + join(missing, "; ");
  if (!annotation.verdict.empty()) answer.choices = {annotation.verdict};
  for (const agents::Anomaly& anomaly : annotation.anomalies) {
    Finding finding = anomaly.finding;
    for (const std::string& source : first_hand_sources(annotation, anomaly.from)) {
      finding.evidence.push_back({.kind = "candidate", .note = source});
    }
    if (anomaly.evidence != agents::EvidenceVerdict::kNotChecked) {
      finding.evidence.push_back(
          {.kind = std::string(name_of(anomaly.evidence)), .note = anomaly.evidence_note});
    }
    answer.findings.push_back(std::move(finding));
  }
  item.questions.push_back({.id = id, .sample_id = annotation.sample.id, .kind = "annotate", .images = {0}});
  item.replies.push_back({.question_id = id, .outcome = answer.outcome});
  item.answers.push_back(std::move(answer));
  return item;
}

Summary summary_of(const AnnotateResult& result) {
  Summary summary{.protocol = kAnnotateProtocol};
  const auto add = [&](std::string key, std::string group, std::string label, double value, std::size_t of,
                       std::string signature = "") {
    summary.metrics.push_back({.key = std::move(key),
                               .group = std::move(group),
                               .label = std::move(label),
                               .value = value,
                               .count = of,
                               .signature = std::move(signature)});
  };
  const auto images = static_cast<double>(std::max<std::size_t>(1, result.images));
  add("objects", "", "Objects an image", static_cast<double>(result.objects) / images, result.images);
  add("anomalies", "", "Anomalies an image", static_cast<double>(result.anomalies) / images, result.images);
  for (const StageCost& cost : result.costs) {
    const std::string stage(agents::name_of(cost.stage));
    add("calls", stage, "Calls", static_cast<double>(cost.calls), cost.calls,
        "annotate|metric:count|unit:calls");
    add("tokens", stage, "Tokens", static_cast<double>(cost.usage.input_tokens + cost.usage.output_tokens),
        cost.calls, "annotate|metric:count|unit:tokens");
    // For so many images, so that the difference between stages can be seen.
    if (cost.usage.cost_usd) {
      add("usd_1000", stage, "US dollars for 1,000 images", *cost.usage.cost_usd * 1000 / images, cost.calls);
    }
  }
  summary.outcomes.add(Outcome::kAnswered, result.images - result.failed);
  summary.outcomes.add(Outcome::kUnparsable, result.failed);
  summary.notes = result.failures;
  return summary;
}

constexpr std::size_t kReportedImages = 2000;
constexpr std::size_t kCheckedAtOnce = 256;

// The annotations from `first` on, with the evidence for them: detectors and reading take longer than all the
// rest.
Result<std::vector<ImageAnnotation>> read_and_check(const Annotator& annotator,
                                                    const AnnotateOptions& options, std::size_t first,
                                                    EvidenceChecker& checker, Progress& progress) {
  std::vector<ImageAnnotation> annotations;
  for (std::size_t i = first; i < std::min(first + kCheckedAtOnce, options.samples.size()); ++i) {
    AWRY_TRY_ASSIGN(const std::string line, annotator.annotations().get(i));
    AWRY_TRY_ASSIGN(ImageAnnotation annotation, agents::parse_annotation(line, options.samples[i].id));
    annotations.push_back(std::move(annotation));
  }
  std::vector<Result<void>> checked(annotations.size());
  const std::size_t done = for_each_index(
      annotations.size(), {.threads = options.threads, .progress = &progress, .cancel = options.cancel},
      [&](std::size_t i) { checked[i] = checker.check(annotations[i]); });
  if (done < annotations.size()) {
    return fail(
        {.kind = ErrorKind::kCancelled,
         .what = "stopped while evidence was checked",
         .hint = "Every reply is kept, and so is what was inspected: run the same command to go on."});
  }
  for (const Result<void>& one : checked) AWRY_TRY(one);
  return annotations;
}

Result<void> write_files(const Annotator& annotator, const AnnotateOptions& options, AnnotateResult& result) {
  AWRY_TRY(make_folder(result.folder));
  AWRY_TRY_ASSIGN(PiecewiseFile lines, PiecewiseFile::create(result.folder / "annotations.jsonl"));
  AWRY_TRY_ASSIGN(PiecewiseFile released, PiecewiseFile::create(result.folder / "annotations.json"));
  AWRY_TRY_ASSIGN(PiecewiseFile stages, PiecewiseFile::create(result.folder / "stages.jsonl"));
  AWRY_TRY_ASSIGN(EvidenceChecker checker, EvidenceChecker::open(options.check_evidence, result.folder));
  const bool with_verdicts = options.agents.verdict;
  std::vector<report::Item> items;
  std::string separator = "\n";
  AWRY_TRY(released.write(with_verdicts ? "[" : "{"));
  std::vector<ImageAnnotation> checked;  // those of the next few images
  std::optional<Progress> progress;
  if (options.check_evidence) progress.emplace("checking evidence", options.samples.size(), options.progress);
  for (std::size_t i = 0; i < options.samples.size(); ++i) {
    AWRY_TRY_ASSIGN(std::string line, annotator.annotations().get(i));
    if (options.check_evidence && i % kCheckedAtOnce == 0) {
      AWRY_TRY_ASSIGN(checked, read_and_check(annotator, options, i, checker, *progress));
    }
    ImageAnnotation annotation;
    if (options.check_evidence) {
      annotation = std::move(checked[i % kCheckedAtOnce]);
      line = agents::print_annotation(annotation) + '\n';
    } else {
      AWRY_TRY_ASSIGN(annotation, agents::parse_annotation(line, options.samples[i].id));
    }
    AWRY_TRY(lines.write(line));
    AWRY_TRY_ASSIGN(const std::string records, annotator.records().get(i));
    AWRY_TRY(stages.write(records));
    if (const std::string entry = released_entry(annotation, with_verdicts); !entry.empty()) {
      AWRY_TRY(released.write(std::exchange(separator, ",\n") + entry));
    }
    count(annotation, result);
    if (items.size() < kReportedImages) items.push_back(report_item(annotation));
  }
  AWRY_TRY(released.write(with_verdicts ? "\n]\n" : "\n}\n"));
  AWRY_TRY(released.finish());
  AWRY_TRY(lines.finish());
  AWRY_TRY(stages.finish());
  AWRY_TRY(
      write_file(result.folder / "costs.json", print_costs(result.costs, result.images, result.objects)));
  AWRY_TRY(write_file(result.folder / "manifest.json", print_manifest(result.run)));
  AWRY_TRY_ASSIGN(const std::string page,
                  report::render_html({result.run, summary_of(result), std::move(items)}));
  return write_file(result.folder / "report.html", page);
}

// --- the run ---

std::string digest_of(const AnnotateOptions& options, const agents::StagePrompts& prompts, const Crew& crew) {
  FieldHasher hasher;
  hasher.add(kAnnotateProtocol).add(crew.identity()).add(prompts.hash());
  const agents::AgentOptions& agents = options.agents;
  hasher.add(static_cast<std::uint64_t>(agents.drafts)).add(static_cast<std::uint64_t>(agents.max_objects));
  hasher.add(static_cast<std::uint64_t>(agents.reask)).add(agents.ask_same ? "same" : "");
  hasher.add(agents.verdict ? "verdict" : "").add(options.ask_again ? "again" : "");
  hasher.add(prompts.style() == agents::ReplyStyle::kJson ? "json" : "plain");
  for (const Sample& sample : options.samples) hasher.add(sample.id).add(sample.images.front().sha256);
  return hasher.hex();
}

Run run_of(const AnnotateOptions& options, const agents::StagePrompts& prompts, const Crew& crew) {
  Run run{.name = fmt::format("annotate-{}", options.model.substr(0, options.model.find('/'))),
          .protocol = kAnnotateProtocol,
          .model = options.model,
          .digest = digest_of(options, prompts, crew),
          .command = options.command,
          .settings = {{"drafts", std::to_string(options.agents.drafts)},
                       {"max_objects", std::to_string(options.agents.max_objects)},
                       {"reask", std::to_string(options.agents.reask)},
                       {"prompts_sha256", prompts.hash()}},
          .awry_version = options.awry_version};
  if (!options.endpoint.model_args.empty())
    run.settings["model_args"] = join(options.endpoint.model_args, " ");
  for (const auto& [stage, model] : options.stage_models) {
    run.settings[fmt::format("model_for.{}", name_of(stage))] = model;
  }
  return run;
}

}  // namespace

Result<AnnotateResult> annotate_images(const AnnotateOptions& given) {
  AnnotateOptions options = given;
  AWRY_TRY_ASSIGN(const agents::StagePrompts prompts,
                  agents::StagePrompts::open(options.prompts_folder, options.style));
  AWRY_TRY_ASSIGN(const Crew crew, hire(options));
  AWRY_TRY(hash_images(options.samples, options));
  AWRY_TRY_ASSIGN(const std::unique_ptr<store::Store> store,
                  store::open_store(options.runs_folder / "awry.db"));
  AWRY_TRY_ASSIGN(OpenedRun opened, open_run(*store, run_of(options, prompts, crew)));
  AnnotateResult result{.run = opened.run, .folder = options.runs_folder / opened.run.id};
  AWRY_TRY(store->put_samples(result.run.id, options.samples));

  AWRY_TRY_ASSIGN(OrderedTexts annotations, OrderedTexts::make(options.samples.size()));
  AWRY_TRY_ASSIGN(OrderedTexts records, OrderedTexts::make(options.samples.size()));
  Annotator annotator(options.samples, options, prompts, crew, std::move(annotations), std::move(records));
  Budget budget(options.budget, spent_before(opened));
  // Twice what may be in flight, so that the endpoint's queue never runs dry; no more, because what waits
  // there is not overtaken by the questions of earlier images.
  const auto max_asked = static_cast<std::size_t>(2 * options.endpoint.client.pacing.max_concurrency) + 16;
  GraphOptions graph{.respondents = crew.respondents,
                     .run_id = result.run.id,
                     .ask_again = options.ask_again,
                     .retry_errors = options.retry_errors,
                     .threads = options.threads,
                     .max_asked = max_asked,
                     .max_open = 8 * max_asked,
                     .progress = options.progress,
                     .cancel = options.cancel};
  for (Reply& reply : opened.replies) {
    if (reply.created < opened.run.started) continue;
    std::string id = reply.question_id;
    graph.own_replies.emplace(std::move(id), std::move(reply));
  }
  AWRY_TRY_ASSIGN(const GraphCounts counts,
                  ask_graph(options.samples.size(), annotator, graph, *store, budget, "annotate"));
  AWRY_TRY(annotator.state());
  result.asked = counts.asked;
  result.reused = counts.reused;
  result.spent = budget.spent();
  if (counts.stopped) {
    result.interrupted = true;
    result.budget_used_up = budget.is_used_up();
    result.run.status = RunStatus::kInterrupted;
    AWRY_TRY(store->update_run(result.run));
    return result;
  }
  result.costs = total_costs(annotator.costs());
  result.run.finished = utc_timestamp();
  result.run.status = RunStatus::kFinished;
  AWRY_TRY(write_files(annotator, options, result));
  AWRY_TRY(store->put_summary(result.run.id, summary_of(result)));
  AWRY_TRY(store->update_run(result.run));
  point_latest_at(options.runs_folder, result.run.id);
  return result;
}

Result<AnnotateEstimate> estimate_annotation(const AnnotateOptions& options, std::size_t objects) {
  AWRY_TRY_ASSIGN(const agents::StagePrompts prompts,
                  agents::StagePrompts::open(options.prompts_folder, options.style));
  AnnotateEstimate estimate{.images = options.samples.size()};
  for (const agents::StageTraits& traits : agents::all_stages()) {
    const auto number = static_cast<double>(objects);
    StageEstimate stage{.stage = traits.stage, .calls = number};
    if (traits.stage == Stage::kVerdict) stage.calls = options.agents.verdict ? 1 : 0;
    if (traits.stage == Stage::kPerceive) stage.calls = options.agents.drafts;
    if (traits.stage == Stage::kSame) stage.calls = options.agents.ask_same ? 1 : 0;
    if (traits.stage == Stage::kFormat) stage.calls = 1;
    if (stage.calls == 0) continue;
    const Respondent respondent = respondent_called(model_for(traits.stage, options), options);
    Question question{.prompt = prompts.fill(traits.stage, {}), .images = {0}};
    if (!traits.shows_image) question.images.clear();
    for (const Sample& sample : options.samples) {
      const long long input = guess_input_tokens(sample, question, respondent.pictures) + traits.input_tokens;
      stage.usage.input_tokens += static_cast<long long>(stage.calls) * input;
      stage.usage.output_tokens += static_cast<long long>(stage.calls) * traits.reply_tokens;
    }
    if (respondent.price) stage.usage.cost_usd = cost_of(stage.usage, *respondent.price);
    estimate.stages.push_back(stage);
  }
  return estimate;
}

}  // namespace awry::pipeline
