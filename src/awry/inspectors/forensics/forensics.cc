// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/forensics.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "awry/imaging/decode.h"
#include "awry/inspectors/forensics/copy_move.h"
#include "awry/inspectors/forensics/inpainting.h"
#include "awry/inspectors/forensics/pair_duplication.h"
#include "awry/inspectors/forensics/splicing.h"
#include "awry/inspectors/forensics/stray_colour.h"
#include "awry/inspectors/forensics/text_figure.h"
#include "awry/reading/lettering.h"

namespace awry::inspectors::forensics {
namespace {

// Part of the key under which replies are stored: raise it with every change that may change an answer.
constexpr const char* kVersion = "10";

void add(Inspection& inspection, Detection detection, const char* type) {
  for (Finding& finding : detection.findings) inspection.findings.push_back(std::move(finding));
  if (detection.undecided) inspection.undecided.emplace_back(type);
  for (Finding& lead : detection.leads) inspection.leads.push_back(std::move(lead));
}

// Detectors count images from 0; findings name them as the sample does.
void name_images(Inspection& inspection, int first, int second) {
  for (Finding& finding : inspection.findings) {
    finding.image = first;
    finding.by.version = kVersion;
    if (Pair* pair = std::get_if<Pair>(&finding.where)) {
      pair->first_image = first;
      pair->second_image = second;
    }
  }
}

Inspection look_at_one(const imaging::Image& image) {
  Inspection inspection;
  add(inspection, find_copy_move(image), "copy_move");
  // A copy has seams as well: what repeats elsewhere in the image was not brought in from another one.
  if (inspection.findings.empty()) add(inspection, find_splicing(image), "splicing");
  add(inspection, find_smoothing(image), "smoothing");
  add(inspection, find_stray_colour(image), "stray_colour");
  return inspection;
}

Inspection look_at_pair(const imaging::Image& first, const imaging::Image& second) {
  Inspection inspection;
  add(inspection, find_pair_duplication(first, second), "duplication");
  return inspection;
}

// Without tesseract the words are still checked against one another.
Inspection look_at_words(const imaging::Image& figure, std::span<const Passage> passages) {
  const auto lettering = reading::read_lettering(figure);
  return check_words(figure, lettering ? *lettering : std::vector<reading::Word>(), passages);
}

class ForensicInspector final : public Inspector {
 public:
  std::string name() const override { return "forensics"; }
  std::string version() const override { return kVersion; }

  Result<Inspection> inspect(const Sample& sample, std::span<const int> images) const override {
    if (images.empty() || images.size() > 2) {
      return fail({.what = "cannot inspect the sample",
                   .input = sample.id,
                   .why = fmt::format("{} images were asked about", images.size()),
                   .hint = "Ask about one image, or about two as a pair."});
    }
    AWRY_TRY_ASSIGN(const imaging::Image first, read(sample, images.front()));
    AWRY_TRY_ASSIGN(const imaging::Image second,
                    images.size() == 2 ? read(sample, images.back()) : Result<imaging::Image>());
    try {
      Inspection inspection = images.size() == 2        ? look_at_pair(first, second)
                              : sample.passages.empty() ? look_at_one(first)
                                                        : look_at_words(first, sample.passages);
      name_images(inspection, images.front(), images.back());
      return inspection;
    } catch (const std::exception& error) {  // OpenCV reports trouble, lack of memory above all, by throwing
      return fail({.what = "cannot inspect the sample", .input = sample.id, .why = error.what()});
    }
  }

 private:
  static Result<imaging::Image> read(const Sample& sample, int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= sample.images.size()) {
      return fail({.what = "cannot inspect the sample",
                   .input = sample.id,
                   .why = fmt::format("it has {} images, and image {} was asked about", sample.images.size(),
                                      index)});
    }
    return imaging::read_image(sample.images[static_cast<std::size_t>(index)].path);
  }
};

}  // namespace

std::unique_ptr<Inspector> make_forensic_inspector() {
  return std::make_unique<ForensicInspector>();
}

}  // namespace awry::inspectors::forensics
