// SPDX-License-Identifier: Apache-2.0
// What the annotator leaves behind for one image: the anomalies, everything they were made from, every call
// that was made for them, and what is missing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "awry/agents/candidate.h"
#include "awry/agents/objects.h"
#include "awry/agents/stage.h"
#include "awry/base/result.h"
#include "awry/records/asking.h"
#include "awry/records/finding.h"
#include "awry/records/outcome.h"
#include "awry/records/sample.h"

namespace awry::agents {

// A stage whose reply never came or could not be read, and what was done without it.
struct Missing {
  Stage stage = Stage::kPerceive;
  std::string object;  // "o2"; empty for stages of the whole image
  Outcome outcome = Outcome::kTransport;
  std::string why;
};

enum class EvidenceVerdict { kNotChecked, kSupported, kUnsupported, kNotTestable };
std::string_view name_of(EvidenceVerdict verdict);
std::optional<EvidenceVerdict> evidence_verdict_named(std::string_view name);

struct Anomaly {
  Finding finding;
  std::vector<std::string> from;  // ids of candidates
  Traced traced = Traced::kNamed;
  std::vector<std::string> contradicts;  // ids of other anomalies of this image
  EvidenceVerdict evidence = EvidenceVerdict::kNotChecked;
  std::string evidence_note;
};

struct ImageAnnotation {
  Sample sample;        // with its attributes: prompt, generator, source
  std::string verdict;  // "generated", "real", or empty when nobody asked
  bool failed = false;  // nothing at all could be said: no draft of the perceiver could be read
  std::vector<Missing> missing;
  std::vector<std::string> notes;  // objects beyond the limit and the like
  std::vector<SceneObject> objects;
  std::vector<Candidate> candidates;  // of every stage before the last, in the order made
  std::vector<Anomaly> anomalies;
};

// One call: what went in and what came out.
struct StageRecord {
  std::string id;  // of the question
  Stage stage = Stage::kPerceive;
  std::string object;
  std::vector<std::string> inputs;  // ids of the records whose outputs the prompt was made of
  Question question;
  std::string reply_key;
  Outcome outcome = Outcome::kAnswered;  // kUnparsable also where a reply came
  std::string reply;
  std::string complaint;              // why it could not be used, or what had to be overlooked
  std::vector<std::string> produced;  // ids of objects or candidates
  Usage usage;
};

// The first-hand candidates behind an anomaly or a candidate; each once, in the order met.
std::vector<std::string> first_hand_sources(const ImageAnnotation& annotation,
                                            const std::vector<std::string>& from);

// Lines of annotations.jsonl and stages.jsonl. The same annotation always gives the same bytes: no times, no
// latencies.
std::string print_annotation(const ImageAnnotation& annotation);
Result<ImageAnnotation> parse_annotation(std::string_view line, std::string_view source);
std::string print_record(const StageRecord& record);

// Every line of a file.
Result<std::vector<ImageAnnotation>> read_annotations(const std::string& path);

}  // namespace awry::agents
