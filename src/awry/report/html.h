// SPDX-License-Identifier: Apache-2.0
// A run as one HTML file: no network, no other files, readable without JavaScript, printable.
//
// The same input always gives the same bytes. Everything that came from data, models or file names is
// escaped; an image that cannot be read is shown as its error and never fails the report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/records/asking.h"
#include "awry/records/run.h"
#include "awry/records/sample.h"
#include "awry/records/scoring.h"

namespace awry::report {

// One sample with everything that was asked about it. The three lists run in parallel; where a run was
// interrupted the later ones may be shorter.
struct Item {
  Sample sample;
  std::vector<Question> questions;
  std::vector<Reply> replies;
  std::vector<Answer> answers;
};

struct ReportInput {
  Run run;
  Summary summary;
  std::vector<Item> items;
  // Said first on a page about findings alone, where nothing was scored and no truth is known: counts of
  // outcomes, truths and scores are left out, and what holds nothing is listed by name, so it comes last.
  std::string lead;
};

struct HtmlOptions {
  int thumbnail_edge = 360;  // the longer side of embedded images, in pixels
  int max_cards = 2000;      // samples beyond these are listed by name only
};

// How every page of awry begins, up to <body>: styled, and forbidden to fetch anything.
std::string page_head(std::string_view title);

// Fails only for options that make no sense.
Result<std::string> render_html(const ReportInput& input, const HtmlOptions& options = {});

}  // namespace awry::report
