// SPDX-License-Identifier: Apache-2.0
#include "awry/report/pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/imaging/decode.h"
#include "awry/imaging/draw.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/resize.h"
#include "awry/report/markup.h"
#include "awry/report/overlay.h"

namespace awry::report {
namespace {

constexpr int kJpegQuality = 82;
// Blue against the orange of what was found: told apart with every common form of colour blindness.
constexpr imaging::Colour kTruthMark{40, 130, 255};

struct Canvas {
  imaging::Image image;
  int index = 0;  // into Sample::images
  imaging::Colour colour;
  bool marked = false;
  std::vector<std::string> complaints;

  void note(const Result<void>& drawn) {
    drawn ? void(marked = true) : complaints.push_back(drawn.error().message());
  }
};

void draw(Canvas& canvas, const Finding& finding, std::size_t number) {
  const imaging::MaskStyle style{.colour = canvas.colour};
  const bool here = finding.image == canvas.index;
  if (const auto* box = std::get_if<Box>(&finding.where); box && here) {
    const std::string label = fmt::format("{}", number);
    imaging::draw_box(canvas.image, *box, {.colour = canvas.colour, .label = label});
    canvas.marked = true;
  } else if (const auto* mask = std::get_if<Mask>(&finding.where); mask && here) {
    canvas.note(imaging::draw_mask(canvas.image, *mask, style));
  } else if (const auto* blocks = std::get_if<BlockSet>(&finding.where); blocks && here) {
    canvas.note(imaging::draw_blocks(canvas.image, *blocks, style));
  } else if (const auto* pair = std::get_if<Pair>(&finding.where)) {
    // Both places may lie in one image.
    if (pair->first_image == canvas.index && pair->in_first) {
      canvas.note(imaging::draw_mask(canvas.image, *pair->in_first, style));
    }
    if (pair->second_image == canvas.index && pair->in_second) {
      canvas.note(imaging::draw_mask(canvas.image, *pair->in_second, style));
    }
  }
}

Canvas draw_all(const imaging::Image& image, int index, const std::vector<const Finding*>& findings,
                const imaging::Colour& colour) {
  Canvas canvas{.image = image, .index = index, .colour = colour, .marked = false, .complaints = {}};
  for (std::size_t i = 0; i < findings.size(); ++i) draw(canvas, *findings[i], i + 1);
  return canvas;
}

std::string figure(const Canvas& canvas, std::string_view caption, std::string_view style, int edge) {
  const imaging::Image small = imaging::resize_long_edge(canvas.image, edge).image;
  std::string html = fmt::format("<figure class=\"picture {}\">", style);
  if (const Result<std::string> jpeg = imaging::encode_jpeg(small, kJpegQuality)) {
    html += fmt::format("<img width=\"{}\" height=\"{}\" alt=\"{}\" decoding=\"async\" src=\"{}\">",
                        small.width, small.height, safe(caption), data_url("image/jpeg", *jpeg));
  } else {
    html += fmt::format("<p class=\"problem\">{}</p>", safe(jpeg.error().message()));
  }
  html += fmt::format("<figcaption>{}</figcaption>", safe(caption));
  for (const std::string& complaint : canvas.complaints) {
    html += fmt::format("<p class=\"problem\">{}</p>", safe(complaint));
  }
  return html + "</figure>\n";
}

std::string overlay_of(const Finding& finding, const std::vector<imaging::Image>& images, int edge) {
  const auto* pair = std::get_if<Pair>(&finding.where);
  const auto known = [&](int index) { return index >= 0 && static_cast<std::size_t>(index) < images.size(); };
  if (pair == nullptr || !known(pair->first_image) || !known(pair->second_image)) return "";
  return render_overlay(images[static_cast<std::size_t>(pair->first_image)],
                        images[static_cast<std::size_t>(pair->second_image)], *pair, edge);
}

}  // namespace

std::string render_pictures(const Sample& sample, const std::vector<const Finding*>& found,
                            int thumbnail_edge) {
  std::vector<const Finding*> truth;
  for (const Finding& finding : sample.truth) truth.push_back(&finding);

  std::string html;
  std::vector<imaging::Image> images(sample.images.size());  // empty: could not be read
  for (std::size_t i = 0; i < sample.images.size(); ++i) {
    const std::string& path = sample.images[i].path;
    const std::string prefix = sample.images.size() > 1 ? fmt::format("Image {}: ", i + 1) : "";
    Result<imaging::Image> image = imaging::read_image(path);
    if (!image || image->empty()) {
      const std::string why = image ? "the image has no pixels: " + path : image.error().message();
      html += fmt::format("<p class=\"problem\" role=\"note\">{}{}</p>\n", prefix, safe(why));
      continue;
    }
    images[i] = *image;
    const Canvas found_canvas = draw_all(*image, static_cast<int>(i), found, imaging::kFoundColour);
    const Canvas truth_canvas = draw_all(*image, static_cast<int>(i), truth, kTruthMark);
    const bool compare = found_canvas.marked || truth_canvas.marked;
    if (!compare && truth_canvas.complaints.empty()) {
      html += figure(found_canvas, prefix + "no place marked", "plain", thumbnail_edge);
      continue;
    }
    html += figure(found_canvas, prefix + (found_canvas.marked ? "found" : "found: no place"), "found",
                   thumbnail_edge);
    if (sample.has_truth || !truth.empty()) {
      html += figure(truth_canvas, prefix + (truth_canvas.marked ? "truth" : "truth: no place"), "truth",
                     thumbnail_edge);
    }
  }
  for (const Finding* finding : found) html += overlay_of(*finding, images, thumbnail_edge);
  return html.empty() ? html : "<div class=\"pictures\">\n" + html + "</div>\n";
}

}  // namespace awry::report
