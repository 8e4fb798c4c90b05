// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/image.h"

namespace awry::imaging {
namespace {

std::uint8_t over_white(int value, int alpha) {
  return static_cast<std::uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

}  // namespace

Image to_rgb(const Image& image) {
  if (image.channels == 3) return image;
  Image rgb(image.width, image.height, 3);
  const std::uint8_t* from = image.pixels.data();
  const std::uint8_t* const end = from + image.pixels.size();
  for (std::uint8_t* to = rgb.pixels.data(); from != end; from += image.channels, to += 3) {
    if (image.channels == 1) {
      to[0] = to[1] = to[2] = *from;
    } else {
      for (int i = 0; i < 3; ++i) to[i] = over_white(from[i], from[3]);
    }
  }
  return rgb;
}

Image to_grey(const Image& image) {
  if (image.channels == 1) return image;
  if (image.channels == 4) return to_grey(to_rgb(image));
  Image grey(image.width, image.height, 1);
  const std::uint8_t* from = image.pixels.data();
  for (std::uint8_t& to : grey.pixels) {
    to = static_cast<std::uint8_t>((299 * from[0] + 587 * from[1] + 114 * from[2] + 500) / 1000);
    from += 3;
  }
  return grey;
}

}  // namespace awry::imaging
