// SPDX-License-Identifier: Apache-2.0
// The multi-agent annotator over a pile of images: what `awry annotate` does.
//
// Every call of every stage is stored under its content before it is read. The same command therefore goes on
// where it was killed; another prompt or model for one stage repeats that stage and what its output changes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "awry/agents/image_graph.h"
#include "awry/base/cancel.h"
#include "awry/base/progress.h"
#include "awry/base/result.h"
#include "awry/pipeline/annotation_files.h"
#include "awry/pipeline/budget.h"
#include "awry/pipeline/models.h"
#include "awry/pipeline/prices.h"
#include "awry/records/run.h"
#include "awry/records/sample.h"

namespace awry::pipeline {

inline constexpr const char* kAnnotateProtocol = "annotate";  // Run::protocol of such runs

struct AnnotateOptions {
  std::vector<Sample> samples;                        // one image each
  std::string model;                                  // "openai:gpt-4o"
  std::map<agents::Stage, std::string> stage_models;  // where another one answers
  EndpointSettings endpoint;
  BudgetLimits budget;
  PriceList prices;
  agents::AgentOptions agents;
  std::string prompts_folder;  // the user's own wording; empty: ours
  agents::ReplyStyle style = agents::ReplyStyle::kJson;
  bool check_evidence = false;  // compare claims with what the embedded inspector finds
  std::filesystem::path runs_folder = "runs";
  int threads = 1;
  bool ask_again = false, retry_errors = false;
  std::vector<std::string> command;
  std::string awry_version;
  ProgressOptions progress;
  const CancelToken* cancel = nullptr;
};

struct AnnotateResult {
  Run run;
  std::filesystem::path folder;                        // runs/<id>
  std::size_t images = 0, failed = 0, incomplete = 0;  // incomplete: something is missing, the rest is there
  std::size_t objects = 0, candidates = 0, anomalies = 0;
  std::size_t supported = 0, unsupported = 0, not_testable = 0;
  std::size_t asked = 0, reused = 0;
  std::vector<StageCost> costs;
  std::vector<std::string> failures;  // a line for each thing missing
  bool interrupted = false, budget_used_up = false;
  Spending spent;
};

Result<AnnotateResult> annotate_images(const AnnotateOptions& options);

// What annotating would take, stage by stage: calls, tokens and money of one image with `objects` objects.
struct StageEstimate {
  agents::Stage stage = agents::Stage::kPerceive;
  double calls = 0;  // an image
  Usage usage;       // of all images together
};
struct AnnotateEstimate {
  std::size_t images = 0;
  std::vector<StageEstimate> stages;
};
Result<AnnotateEstimate> estimate_annotation(const AnnotateOptions& options, std::size_t objects);

}  // namespace awry::pipeline
