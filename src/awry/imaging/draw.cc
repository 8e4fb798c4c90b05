// SPDX-License-Identifier: Apache-2.0
#include "awry/imaging/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "awry/base/text.h"
#include "awry/imaging/opencv.h"

namespace awry::imaging {
namespace {

constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
const cv::Scalar kRim(16, 16, 16);

cv::Scalar scalar(const Colour& colour) {
  return {double(colour.red), double(colour.green), double(colour.blue)};
}

cv::Mat rgb_mat(Image& image) {
  if (image.channels != 3) image = to_rgb(image);
  return as_mat(image);
}

// Lines of 1 pixel up to about 400 pixels, growing with the image so that they stay visible when it is shown
// small.
int line_thickness(const Image& image) {
  return std::max(1, std::max(image.width, image.height) / 400);
}
double text_scale(const Image& image) {
  return std::clamp(std::max(image.width, image.height) / 1200.0, 0.4, 3.0);
}

// Far outside the image every coordinate draws the same, and OpenCV's own arithmetic must not overflow.
int pixel(double coordinate) {
  return std::isnan(coordinate) ? 0 : static_cast<int>(std::lround(std::clamp(coordinate, -1e5, 1e5)));
}

std::string ascii_only(std::string_view text) {
  std::string ascii;
  for (const char32_t letter : decode_utf8(text)) {
    ascii.push_back(letter >= 32 && letter < 127 ? static_cast<char>(letter) : '?');
  }
  return ascii;
}

void tint(std::uint8_t* pixel, const Colour& colour, double opacity) {
  const std::uint8_t channels[] = {colour.red, colour.green, colour.blue};
  for (int i = 0; i < 3; ++i) {
    pixel[i] = static_cast<std::uint8_t>(std::lround(pixel[i] * (1 - opacity) + channels[i] * opacity));
  }
}

Result<void> check_same_size(const Image& image, int width, int height) {
  if (image.width == width && image.height == height) return {};
  return fail({.what = "cannot draw mask",
               .why = fmt::format("it has {} x {} pixels, but its image has {} x {}", width, height,
                                  image.width, image.height)});
}

void draw_outline(Image& image, const Bitmap& bitmap, const Colour& colour) {
  const cv::Mat bits(bitmap.height, bitmap.width, CV_8UC1, const_cast<std::uint8_t*>(bitmap.bits.data()));
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(bits.clone(), contours, cv::RETR_CCOMP, cv::CHAIN_APPROX_NONE);
  cv::Mat mat = as_mat(image);
  const int thickness = line_thickness(image);
  cv::drawContours(mat, contours, -1, kRim, thickness + 2);
  cv::drawContours(mat, contours, -1, scalar(colour), thickness);
}

}  // namespace

Colour series_colour(std::size_t index) {
  // Okabe and Ito's set with its black exchanged for a red, which dark images need.
  static constexpr std::array<Colour, 8> kColours = {{{230, 159, 0},
                                                      {86, 180, 233},
                                                      {0, 158, 115},
                                                      {240, 228, 66},
                                                      {60, 120, 220},
                                                      {213, 94, 0},
                                                      {204, 121, 167},
                                                      {235, 51, 51}}};
  return kColours[index % kColours.size()];
}

void draw_box(Image& image, const Box& box, const BoxStyle& style) {
  if (image.empty()) return;
  cv::Mat mat = rgb_mat(image);
  const int thickness = style.thickness > 0 ? style.thickness : line_thickness(image);
  const cv::Point first(pixel(box.x), pixel(box.y));
  const cv::Point last(std::max(first.x, pixel(box.x + box.width) - 1),
                       std::max(first.y, pixel(box.y + box.height) - 1));
  cv::rectangle(mat, first, last, kRim, thickness + 2);
  cv::rectangle(mat, first, last, scalar(style.colour), thickness);
  if (!style.label.empty()) {
    draw_label(image, first.x, first.y, style.label, {.colour = {16, 16, 16}, .background = style.colour});
  }
}

void draw_marks(Image& image, std::span<const Box> boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) draw_box(image, boxes[i], {.colour = series_colour(i)});
  // Numbers last: no later box may cross an earlier number.
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    draw_label(image, pixel(boxes[i].x), pixel(boxes[i].y), std::to_string(i + 1),
               {.colour = {16, 16, 16}, .background = series_colour(i)});
  }
}

void draw_label(Image& image, int x, int y, std::string_view text, const LabelStyle& style) {
  if (image.empty() || text.empty()) return;
  cv::Mat mat = rgb_mat(image);
  const double scale = style.scale > 0 ? style.scale : text_scale(image);
  const int weight = std::max(1, static_cast<int>(std::lround(scale * 1.5)));
  const int margin = std::max(2, static_cast<int>(std::lround(scale * 5)));
  const std::string letters = ascii_only(text);
  int below_baseline = 0;
  const cv::Size size = cv::getTextSize(letters, kFont, scale, weight, &below_baseline);
  const int width = size.width + 2 * margin, height = size.height + below_baseline + 2 * margin;
  x = std::clamp(x, 0, std::max(0, image.width - width));
  y = std::clamp(y, 0, std::max(0, image.height - height));
  cv::rectangle(mat, cv::Rect(x, y, width, height), scalar(style.background), cv::FILLED);
  cv::rectangle(mat, cv::Rect(x, y, width, height), kRim, 1);
  cv::putText(mat, letters, {x + margin, y + margin + size.height}, kFont, scale, scalar(style.colour),
              weight, cv::LINE_AA);
}

Result<void> draw_bitmap(Image& image, const Bitmap& bitmap, const MaskStyle& style) {
  AWRY_TRY(check_same_size(image, bitmap.width, bitmap.height));
  if (image.empty()) return {};
  rgb_mat(image);
  const double opacity = std::clamp(style.opacity, 0.0, 1.0);
  for (std::size_t i = 0; i < bitmap.bits.size(); ++i) {
    if (bitmap.bits[i] != 0) tint(&image.pixels[i * 3], style.colour, opacity);
  }
  if (style.outline) draw_outline(image, bitmap, style.colour);
  return {};
}

Result<void> draw_mask(Image& image, const Mask& mask, const MaskStyle& style) {
  AWRY_TRY(check_same_size(image, mask.width, mask.height));
  AWRY_TRY_ASSIGN(const Bitmap bitmap, bitmap_from_mask(mask, {.max_pixels = ~0ULL}));
  return draw_bitmap(image, bitmap, style);
}

void draw_grid(Image& image, const BlockGrid& grid, const Colour& colour) {
  if (image.empty() || grid.rows < 1 || grid.columns < 1) return;
  cv::Mat mat = rgb_mat(image);
  const int thickness = line_thickness(image);
  const auto line = [&](int x0, int y0, int x1, int y1) {
    cv::line(mat, {x0, y0}, {x1, y1}, kRim, thickness + 2);
    cv::line(mat, {x0, y0}, {x1, y1}, scalar(colour), thickness);
  };
  // Lines closer than this would hide the image; such a grid has nothing to show.
  for (int row = 1; row < grid.rows && grid.rows * 4 < image.height; ++row) {
    const int y = static_cast<int>(static_cast<std::int64_t>(row) * image.height / grid.rows);
    line(0, y, image.width - 1, y);
  }
  for (int column = 1; column < grid.columns && grid.columns * 4 < image.width; ++column) {
    const int x = static_cast<int>(static_cast<std::int64_t>(column) * image.width / grid.columns);
    line(x, 0, x, image.height - 1);
  }
}

Result<void> draw_blocks(Image& image, const BlockSet& blocks, const MaskStyle& style) {
  AWRY_TRY_ASSIGN(const Bitmap bitmap, bitmap_from_blocks(blocks, image.width, image.height));
  draw_grid(image, {blocks.rows, blocks.columns});
  return draw_bitmap(image, bitmap, style);
}

Image side_by_side(std::span<const Image> images, int gap, const Colour& background) {
  if (images.empty()) return {};
  int width = gap * (static_cast<int>(images.size()) - 1), height = 0;
  for (const Image& image : images) {
    width += image.width;
    height = std::max(height, image.height);
  }
  Image result(width, height, 3);
  cv::Mat canvas = as_mat(result);
  canvas.setTo(scalar(background));
  int x = 0;
  for (const Image& image : images) {
    if (!image.empty()) as_mat(to_rgb(image)).copyTo(canvas(cv::Rect(x, 0, image.width, image.height)));
    x += image.width + gap;
  }
  return result;
}

}  // namespace awry::imaging
