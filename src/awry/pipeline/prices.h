// SPDX-License-Identifier: Apache-2.0
// What tokens cost, and how many a question will take before anybody has counted.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "awry/base/result.h"
#include "awry/inspectors/vlm/picture.h"
#include "awry/records/asking.h"
#include "awry/records/sample.h"

namespace awry::pipeline {

struct Price {
  double input_usd_per_million = 0, output_usd_per_million = 0;  // tokens
  double image_usd = 0;                                          // for each picture made, beside its tokens
};

// {"models": {"gpt-4o": {"input": 2.5, "output": 10}, "dall-e-3": {"image": 0.04}, "*": {...}}}: US dollars
// for a million tokens, or for a picture made. The
// model is called as behind "openai:"; "*" is everybody else.
struct PriceList {
  std::map<std::string, Price, std::less<>> models;

  std::optional<Price> of(std::string_view model) const;
};
Result<PriceList> read_price_file(const std::filesystem::path& path);

double cost_of(const Usage& usage, const Price& price);

// A guess before the fact: four bytes of text a token; pictures in tiles of 512 pixels after shrinking, as
// OpenAI bills them. Other endpoints count differently; the usage they report replaces the guess.
long long guess_input_tokens(const Sample& sample, const Question& question,
                             const inspectors::vlm::PictureLimits& limits);
long long guess_picture_tokens(int width, int height);

}  // namespace awry::pipeline
