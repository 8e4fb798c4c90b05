// SPDX-License-Identifier: Apache-2.0
// A flaw on its way through the stages. Every candidate names those of earlier stages it was made from, down
// to the first-hand ones, so that a final anomaly can be traced to what was said about which object.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/agents/likeness.h"
#include "awry/agents/stage.h"
#include "awry/base/result.h"
#include "awry/parse/parsed.h"

namespace awry::agents {

// How the sources of a candidate are known.
enum class Traced {
  kFirstHand,  // it has none: the analyser or the reasoner itself reported it
  kNamed,      // the model named them
  kAlike,      // it did not; these are worded alike
  kAssumed,    // nor are any worded alike: all that the model was given
};
std::string_view name_of(Traced traced);
std::optional<Traced> traced_named(std::string_view name);

struct Candidate {
  std::string id;  // within the image: "o2/analyse.verify/1", "format/3"
  Stage stage = Stage::kAnalyseVerify;
  std::string object;  // "o2"; empty for those of the whole image
  std::string name, phenomenon, reasoning;
  std::optional<double> severity;
  std::vector<std::string> from;  // ids
  Traced traced = Traced::kFirstHand;
  std::vector<std::string> contradicts;  // ids of the same stage that cannot hold beside it
  std::string joined_into;               // the id of the near-duplicate that speaks for it now

  Claim claim() const { return {name, phenomenon, reasoning}; }
};

// What a model was given, by the mark it was shown under: "A1".
struct Marked {
  std::string mark;
  const Candidate* candidate = nullptr;
};

std::vector<Marked> mark(const std::vector<Candidate>& candidates, char letter);  // A1, A2, ...

// The list that stands in prompts for {candidates}.
std::string print_marked(std::span<const Marked> given);

struct RawCandidate {
  Candidate candidate;             // without id, stage and object
  std::vector<std::string> marks;  // upper-cased, as named
};

// Anomalies with their sources, from text or JSON, in whatever spelling.
Result<parse::Parsed<std::vector<RawCandidate>>> read_candidates(std::string_view reply);

// Fills in `from` and `traced`.
void trace(RawCandidate& raw, std::span<const Marked> given);

}  // namespace awry::agents
