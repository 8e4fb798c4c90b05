// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/respondent.h"

namespace awry::pipeline {

Usage expected_usage(const Respondent& respondent, const Sample& sample, const Question& question) {
  Usage usage{.input_tokens = guess_input_tokens(sample, question, respondent.pictures),
              .output_tokens = respondent.output_tokens_guess};
  if (respondent.price) usage.cost_usd = cost_of(usage, *respondent.price);
  return usage;
}

}  // namespace awry::pipeline
