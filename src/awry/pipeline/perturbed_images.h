// SPDX-License-Identifier: Apache-2.0
// The same dataset after its images went through the world: how much of a model's answer survives a blur,
// JPEG, or scaling? THEMIS draws one curve per task and kind of damage.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/result.h"
#include "awry/records/sample.h"

namespace awry::pipeline {

enum class Damage {
  kBlur,   // Gaussian; strength: standard deviation in pixels, 0 to 100
  kJpeg,   // strength: quality, 1 to 100, whole
  kScale,  // strength: factor on both sides, 0.01 to 8; the size of the image changes
};

struct Perturbation {
  Damage damage = Damage::kBlur;
  double strength = 0;
  bool operator==(const Perturbation&) const = default;
};

// "blur:1.5", "jpeg:70", "scale:0.5"; several in a row are applied one after the other: "scale:0.5,jpeg:70".
Result<std::vector<Perturbation>> parse_perturbations(std::string_view text);
std::string text_of(std::span<const Perturbation> perturbations);  // "scale:0.5,jpeg:70"

struct PerturbOptions {
  std::filesystem::path folder;  // keeps the copies
  int threads = 1;
  const CancelToken* cancel = nullptr;
};

struct PerturbedSamples {
  std::vector<Sample> samples;
  std::size_t made = 0, reused = 0;
  std::vector<std::string> unreadable;  // images that stay as they are, so that asking reports them, with why
};

// Copies of the samples whose images are copies of the images. A copy is named by the hash of the original's
// bytes and the perturbation, written beside and renamed, and found again by the next run. The truth follows
// a change of size: boxes and masks are scaled, cells of a grid and words stay. Sample ids stay, so that
// curves compare the same items; the attribute "perturbation" holds text_of(perturbations).
Result<PerturbedSamples> perturb_images(std::vector<Sample> samples,
                                        std::span<const Perturbation> perturbations,
                                        const PerturbOptions& options);

}  // namespace awry::pipeline
