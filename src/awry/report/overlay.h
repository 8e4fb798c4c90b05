// SPDX-License-Identifier: Apache-2.0
// Two places that share content, laid over each other: the second is brought back into the frame of the first
// by undoing the recovered transform, so that what is the same stands still and what differs jumps.
#pragma once

#include <string>

#include "awry/imaging/image.h"
#include "awry/records/region.h"

namespace awry::report {

// Blinking or side by side, as the reader likes; empty when the pair has no usable transform. Both images may
// be the same one.
std::string render_overlay(const imaging::Image& first, const imaging::Image& second, const Pair& pair,
                           int thumbnail_edge);

// What `second` shows of the frame `window` of the first image: grey where it shows nothing.
imaging::Image undo_transform(const imaging::Image& second, const Transform& second_from_first,
                              const Box& window);

}  // namespace awry::report
