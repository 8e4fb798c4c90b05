// SPDX-License-Identifier: Apache-2.0
// Question -> Reply -> Answer: what is asked about a sample, what came back, and what it means.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "awry/records/finding.h"
#include "awry/records/outcome.h"
#include "awry/records/unknown_fields.h"

namespace awry {

// A finished exchange that the next question of the same conversation builds upon.
struct EarlierTurn {
  std::string prompt, reply;
  UnknownFields unknown;
  bool operator==(const EarlierTurn&) const = default;
};

struct Question {
  std::string id;  // unique within a run: "<sample>/<kind>"
  std::string sample_id;
  std::string kind;  // the protocol's task: "smf-il", "cmo-i", "ad"
  std::string prompt;
  std::vector<int> images;           // indices into Sample::images, in the order shown
  int repeat = 0;                    // asked again on purpose (self-consistency): a part of the cache key
  std::vector<EarlierTurn> earlier;  // oldest first; the images belong to the first turn
  bool for_judge = false;            // the judge answers it, not the model under test
  std::map<std::string, std::string> attributes;
  UnknownFields unknown;
  bool operator==(const Question&) const = default;
};

struct Usage {
  long long input_tokens = 0, output_tokens = 0;
  std::optional<double> cost_usd;
  bool operator==(const Usage&) const = default;
};

// Stored before anybody parses it.
struct Reply {
  std::string key;  // content hash of images, prompt, model, parameters and repeat
  std::string question_id;
  Outcome outcome = Outcome::kAnswered;
  std::string text;                         // exactly as received
  std::string model;                        // as asked for
  std::string returned_model, fingerprint;  // as the endpoint named itself
  std::string finish_reason;
  Usage usage;
  double latency_ms = 0;
  int attempt = 1;
  std::string error;    // when the outcome is not kAnswered
  std::string created;  // UTC
  UnknownFields unknown;
  bool operator==(const Reply&) const = default;
};

// A reply as the protocol reads it.
struct Answer {
  std::string question_id;
  Outcome outcome = Outcome::kAnswered;
  std::string complaint;             // why it is not kAnswered, or what had to be tolerated
  std::vector<std::string> choices;  // option letters or labels, as chosen
  bool unsure = false;               // the protocol's own "not sure" was chosen
  std::vector<Finding> findings;
  std::map<std::string, double> values;  // ratings and the like: "surprisal" -> 4
  std::string text;                      // free text the protocol keeps (an explanation)
  UnknownFields unknown;
  bool operator==(const Answer&) const = default;
};

}  // namespace awry
