// SPDX-License-Identifier: Apache-2.0
// The door between awry's images and OpenCV. Only modules that link dep_opencv may include it.
#pragma once

#include <opencv2/core.hpp>

#include "awry/imaging/image.h"

namespace awry::imaging {

// A view, not a copy: the image must outlive it. Channels stay RGB, not OpenCV's BGR.
inline cv::Mat as_mat(Image& image) {
  return {image.height, image.width, CV_8UC(image.channels), image.pixels.data()};
}
inline const cv::Mat as_mat(const Image& image) {
  return {image.height, image.width, CV_8UC(image.channels), const_cast<std::uint8_t*>(image.pixels.data())};
}

// Copies an 8-bit matrix of 1, 3 or 4 channels.
inline Image from_mat(const cv::Mat& mat) {
  Image image(mat.cols, mat.rows, mat.channels());
  mat.copyTo(as_mat(image));
  return image;
}

}  // namespace awry::imaging
