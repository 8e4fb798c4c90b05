// SPDX-License-Identifier: Apache-2.0
// Pictures from a folder as sources of forgeries: which of them can be used, which show nearly the same, and
// which pairs are alike enough to be spliced.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/result.h"
#include "awry/forge/captioned_figures.h"
#include "awry/forge/paint.h"
#include "awry/forge/pair_search.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"

namespace awry::forge {

struct PoolImage {
  std::filesystem::path file;
  std::string name;  // relative to the folder of the pool, with '/'
  std::string sha256;
  int width = 0, height = 0;
  int group = 0;                 // images of one group are near-duplicates of one another
  std::string scenario;          // told by a folder of the same name, such as "micrograph/"; else "Others"
  std::vector<Box> annotations;  // where something is written, in its pixels, as far as anybody has read it
  std::filesystem::path
      mask;  // a picture of the same shape, not 0 where the object to copy lies; may be empty
  std::string mask_sha256;
};

struct SourcePoolOptions {
  int min_side = 128;  // smaller pictures are left out
  // Two pictures are near-duplicates when their 224x224 greys, upright, mirrored or turned by half, correlate
  // at least this much.
  double near_duplicate = 0.98;
  // Files known to share content, such as crops of one picture: near-duplicates too, whatever their greys
  // say.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> related;
  // What somebody has read in a picture, and where an object was marked in it.
  std::map<std::filesystem::path, std::vector<Box>> annotations;
  std::map<std::filesystem::path, std::filesystem::path> masks;
  // Whose texts can be tampered with. Those without a usable picture, or that nobody has read, are left out.
  std::vector<CaptionedFigure> figures;
  std::size_t pairs = 2000;  // most similar pairs kept for splicing
  int threads = 1;
  const CancelToken* cancel = nullptr;
};

class SourcePool {
 public:
  // Reads every file once. Unreadable, small, very long and blank ones are named in `left_out` by reason. An
  // error when fewer than two can be used.
  static Result<SourcePool> open(const std::filesystem::path& folder,
                                 std::span<const std::filesystem::path> files,
                                 const SourcePoolOptions& options = {});

  std::span<const PoolImage> images() const { return images_; }
  std::span<const SimilarPair> pairs() const { return pairs_; }  // most similar first, never within a group
  std::span<const CaptionedFigure> figures() const { return figures_; }
  const std::map<std::string, std::vector<std::string>>& left_out() const { return left_out_; }
  int groups() const { return groups_; }

  // RGB, within `longer_side`. An error when the file has changed since.
  Result<imaging::Image> load(std::size_t index, int longer_side) const;
  Result<imaging::Image> load_figure(std::size_t index, int longer_side) const;

  // The object that was marked in it, at the size given; nullopt when none was.
  Result<std::optional<imaging::Bitmap>> load_mask(std::size_t index, int width, int height) const;

  // The groups dealt to parts in proportion to `shares`, at random but always alike for one seed: no picture,
  // nor a near-duplicate of it, is in two parts, and no figure whose panels are pictures of another part.
  // Pairs are searched anew within each part.
  std::vector<SourcePool> split(std::span<const double> shares, RandomStream random) const;

  // Only these pictures and figures, with what was once known of them: groups, and what was read in them. An
  // error when one is not there or is not what it was.
  Result<SourcePool> restricted_to(std::span<const PoolImage> images,
                                   std::span<const CaptionedFigure> figures) const;

 private:
  void find_pairs(const SourcePoolOptions& options);
  SourcePool part(std::span<const std::size_t> indices) const;

  std::vector<PoolImage> images_;
  std::vector<CaptionedFigure> figures_;
  std::vector<PanelSignature> signatures_;
  std::vector<SimilarPair> pairs_;
  std::map<std::string, std::vector<std::string>> left_out_;
  SourcePoolOptions options_;
  int groups_ = 0;
};

}  // namespace awry::forge
