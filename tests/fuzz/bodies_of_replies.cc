// SPDX-License-Identifier: Apache-2.0
// Whole replies, as each protocol reads them: what joins the parsers.
#include <array>
#include <cmath>

#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/benchmarks/anomreason/anomreason.h"
#include "awry/benchmarks/cave/cave.h"
#include "awry/benchmarks/magicmirror/magicmirror.h"
#include "awry/benchmarks/protocol.h"
#include "awry/benchmarks/themis/themis.h"
#include "awry/records/json.h"
#include "targets.h"

namespace awry::fuzz {
namespace {

using namespace benchmarks;

struct Asked {
  std::string_view protocol, kind;
  bool of_judge = false;
};
constexpr std::array kAsked = {Asked{"themis", themis::kForgery},
                               Asked{"themis", themis::kDuplication},
                               Asked{"themis", themis::kConsistency},
                               Asked{"anomreason", anomreason::kAnomalies},
                               Asked{"anomreason", anomreason::kDeepfake},
                               Asked{"anomreason", anomreason::kDeepfakeList},
                               Asked{"magicmirror", magicmirror::kAssess},
                               Asked{"magicmirror", magicmirror::kSubject},
                               Asked{"magicmirror", magicmirror::kConsistency, true},
                               Asked{"cave", cave::kDescribe},
                               Asked{"cave", cave::kLocate},
                               Asked{"cave", cave::kExplain},
                               Asked{"cave", cave::kJustify},
                               Asked{"cave", "severity"},
                               Asked{"cave", cave::kCategorise},
                               Asked{"cave", cave::kCulture},
                               Asked{"cave", cave::kJudgePair, true},
                               Asked{"cave", cave::kJudgeExplanation, true}};

constexpr int kWidth = 640, kHeight = 480;

void check_place(const Where& where) {
  if (const BlockSet* blocks = std::get_if<BlockSet>(&where)) {
    for (const int block : blocks->blocks) require(block >= 1, "blocks count from 1");
  }
  if (const Box* box = std::get_if<Box>(&where)) {
    require(box->width > 0 && box->height > 0 && box->x >= 0 && box->y >= 0, "a box has a place and a size");
    require(box->x + box->width <= kWidth * (1 + 1e-12) && box->y + box->height <= kHeight * (1 + 1e-12),
            "a box lies in the image");
  }
}

void check(const Answer& answer) {
  require(answer.question_id == "s/q", "an answer is to its question");
  require(is_valid_utf8(answer.complaint), "complaints are valid text");
  if (answer.outcome != Outcome::kAnswered) {
    require(!answer.complaint.empty(), "what is unparsable has a reason");
    require(answer.findings.empty(), "what is unparsable finds nothing");
  }
  for (const auto& [name, value] : answer.values) require(std::isfinite(value), "values are finite");
  for (const Finding& finding : answer.findings) {
    require(!finding.severity || (*finding.severity >= 0 && *finding.severity <= 100),
            "severities are on their scale");
    check_place(finding.where);
  }
  const auto again = from_json<Answer>(to_json(answer), "again");
  require(again && *again == answer, "an answer survives being stored");
}

}  // namespace

void run_replies(std::string_view input) {
  Sample sample{.id = "s", .images = {{.path = "a.png", .width = kWidth, .height = kHeight}}};
  for (const Asked& asked : kAsked) {
    sample.attributes.clear();
    if (asked.protocol == "themis") {
      sample.attributes = {{themis::kTaskAttribute, std::string(asked.kind)},
                           {themis::kGridAttribute, "2x3"}};
    }
    const Question question{
        .id = "s/q", .sample_id = "s", .kind = std::string(asked.kind), .for_judge = asked.of_judge};
    for (const char* finish : {"stop", "length"}) {
      const Reply reply{.text = std::string(input), .finish_reason = finish};
      check(find_protocol(asked.protocol)->parse(sample, question, reply));
    }
  }
}

}  // namespace awry::fuzz
