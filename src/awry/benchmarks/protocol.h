// SPDX-License-Identifier: Apache-2.0
// A protocol is one value: how a paper's dataset is read, asked about, answered and scored.
// protocols.cc lists all of them; each lives in a folder of the same shape.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/inspection.h"
#include "awry/records/asking.h"
#include "awry/records/sample.h"
#include "awry/records/scoring.h"

namespace awry::benchmarks {

// What a dataset reader found: the samples, and in words every defect it met or repaired.
struct Dataset {
  std::vector<Sample> samples;
  std::vector<std::string> notes;
  std::vector<std::string> left_out;  // ids of samples that were left out on request: answers may hold them
};

// Protocol-specific switches by name ("variant=released"). Every function of a protocol gets the same
// options and refuses, with a usage error, a name or value that its protocol does not know.
using ProtocolOptions = std::map<std::string, std::string>;

struct AnsweredSample {
  Sample sample;
  std::vector<Question> questions;
  std::vector<Answer> answers;  // parallel to questions
};

// The paper's table with the user's runs placed among it. Values are in the paper's own units.
struct LeaderboardRow {
  std::string model;
  std::string group;                                   // "proprietary", "open", "yours"
  std::vector<std::pair<std::string, double>> values;  // in the order of Leaderboard::columns; gaps allowed
};
struct Leaderboard {
  std::vector<std::string> columns;  // "bri", "splicing_id": also the keys in JSON
  std::vector<LeaderboardRow> rows;  // best first
  std::vector<std::string> notes;
};
struct ScoredRun {
  std::string model;
  Summary summary;
};

// One of those switches, for people who look for it.
struct Switch {
  std::string_view name, values, meaning;  // "prompt", "vanilla|cot", "How it is asked."; the default first
};

struct Protocol {
  std::string_view name, summary;
  std::span<const Switch> switches;

  Result<Dataset> (*read_samples)(const std::filesystem::path&, const ProtocolOptions&) = nullptr;
  Result<std::vector<Question>> (*ask)(const Sample&, const ProtocolOptions&) = nullptr;
  // The same questions without their wording, which replies can be read and scored by. nullptr: ask.
  Result<std::vector<Question>> (*outline)(const Sample&, const ProtocolOptions&) = nullptr;
  // What can only be asked once replies are known: the next turn of a conversation, or a question to the
  // judge about an answer. Given all that was asked of the sample so far (replies parallel to questions), it
  // returns what to ask next, and is called again until that is nothing. nullptr: one round is all.
  Result<std::vector<Question>> (*follow_up)(const AnsweredSample&, std::span<const Reply>,
                                             const ProtocolOptions&) = nullptr;
  // The reply an embedded inspector would write; nullptr where no embedded inspector can answer.
  Result<std::string> (*phrase)(const Sample&, const Question&, const inspectors::Inspection&) = nullptr;
  Answer (*parse)(const Sample&, const Question&, const Reply&) = nullptr;
  Result<Summary> (*score)(std::span<const AnsweredSample>, const ProtocolOptions&) = nullptr;
  // Answers in the form the paper's authors released, joined to the samples they belong to. nullptr: only
  // awry's own form is read (replies_file.h).
  Result<std::vector<AnsweredSample>> (*read_answers)(const std::filesystem::path&, std::vector<Sample>,
                                                      const ProtocolOptions&) = nullptr;
  // Truth and answers straight to scores, for files too large to hold as samples. nullptr: read, then score.
  Result<Summary> (*score_files)(const std::filesystem::path& truth, const std::filesystem::path& answers,
                                 const ProtocolOptions&) = nullptr;
  // nullptr where the paper prints no table that a run could join.
  Result<Leaderboard> (*leaderboard)(std::span<const ScoredRun>, const ProtocolOptions&) = nullptr;
  // A reply such as a good model gives, so that what it leads to can be estimated before anybody is asked;
  // empty where it leads to nothing. nullptr: one round is all.
  std::string (*imagine)(const Sample&, const Question&) = nullptr;
};

std::span<const Protocol* const> all_protocols();
const Protocol* find_protocol(std::string_view name);

}  // namespace awry::benchmarks
