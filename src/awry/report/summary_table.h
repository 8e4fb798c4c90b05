// SPDX-License-Identifier: Apache-2.0
// The numbers of a run: outcome counts, the table of metrics, and plots of both metrics and scores.
#pragma once

#include <string>

#include "awry/records/scoring.h"

namespace awry::report {

// Every outcome, those that never happened too: nobody should have to ask whether any were left out.
std::string outcome_counts(const OutcomeCounts& outcomes);

std::string metric_table(const Summary& summary);

// One chart for each metric with several groups, one for all remaining shares; then the distribution of
// each score over the samples. Each plot carries its numbers as a table.
std::string metric_plots(const Summary& summary);
std::string score_plots(const Summary& summary);

}  // namespace awry::report
