// SPDX-License-Identifier: Apache-2.0
// The images of one sample with findings drawn on them, embedded as data URLs.
#pragma once

#include <string>
#include <vector>

#include "awry/records/sample.h"

namespace awry::report {

// For every image: what was found beside what is so. Findings are numbered from 1 in the given order, as
// the text of the card numbers them. Never fails: what cannot be read or drawn is said in words.
std::string render_pictures(const Sample& sample, const std::vector<const Finding*>& found,
                            int thumbnail_edge);

}  // namespace awry::report
