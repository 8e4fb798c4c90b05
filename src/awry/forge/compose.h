// SPDX-License-Identifier: Apache-2.0
// Pasting an object so that its edge does not show, without touching a pixel outside its mask.
#pragma once

#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"

namespace awry::forge {

// The feathering rule: within the mask, a pixel at distance d from the nearest pixel outside it is
//   a * object + (1 - a) * host,   a = min(1, d / (feather_px + 1));
// outside the mask the host stays as it is, bit for bit. All three must have the same size.
imaging::Image paste(const imaging::Image& host, const imaging::Image& object, const imaging::Bitmap& mask,
                     int feather_px);

// Everything moved by (dx, dy); what comes from beyond the edge is 0.
imaging::Image shifted(const imaging::Image& image, int dx, int dy);
imaging::Bitmap shifted(const imaging::Bitmap& bitmap, int dx, int dy);

imaging::Bitmap united(const imaging::Bitmap& a, const imaging::Bitmap& b);
std::size_t area(const imaging::Bitmap& bitmap);
std::size_t common_area(const imaging::Bitmap& a, const imaging::Bitmap& b);
bool touches(const imaging::Bitmap& bitmap, const Box& box);

// Where two pictures of one shape differ.
imaging::Bitmap changed_pixels(const imaging::Image& before, const imaging::Image& after);

// The mean absolute difference over the pixels of the mask, in grey levels: how much of a change a forgery
// is.
double mean_change(const imaging::Image& before, const imaging::Image& after, const imaging::Bitmap& mask);

}  // namespace awry::forge
