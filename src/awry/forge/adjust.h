// SPDX-License-Identifier: Apache-2.0
// The parameter modifications of duplicated panels: what one slider of a photo editor does.
#pragma once

#include <array>
#include <string_view>

#include "awry/base/random.h"
#include "awry/imaging/image.h"

namespace awry::forge {

enum class Adjustment { kBrightness, kContrast, kSaturation, kHue, kColourTemperature };

inline constexpr std::array kAllAdjustments = {Adjustment::kBrightness, Adjustment::kContrast,
                                               Adjustment::kSaturation, Adjustment::kHue,
                                               Adjustment::kColourTemperature};

std::string_view name_of(Adjustment adjustment);  // "colour_temperature"

// brightness: grey levels added. contrast: factor about the mean grey. saturation: factor about each pixel's
// grey. hue: degrees. colour temperature: share by which red gains and blue loses.
imaging::Image adjusted(const imaging::Image& image, Adjustment adjustment, double amount);

// An amount that is visible and believable, to either side of doing nothing.
double random_amount(Adjustment adjustment, RandomStream& random);

}  // namespace awry::forge
