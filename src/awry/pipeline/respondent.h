// SPDX-License-Identifier: Apache-2.0
// A model with what is known of its price and size of replies.
#pragma once

#include <optional>

#include "awry/pipeline/models.h"
#include "awry/pipeline/prices.h"

namespace awry::pipeline {

struct Respondent {
  Model* model = nullptr;
  std::optional<Price> price;
  inspectors::vlm::PictureLimits pictures;
  long long output_tokens_guess = 300;
};

// What a question will probably take.
Usage expected_usage(const Respondent& respondent, const Sample& sample, const Question& question);

}  // namespace awry::pipeline
