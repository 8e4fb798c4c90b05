// SPDX-License-Identifier: Apache-2.0
// A forged THEMIS set on disk, in the layout of the released one, so that both can be read alike:
//   forgery.json, duplication.json,   the questions with their truth
//   text_image_inconsistency.json
//   forgery/..., duplication/..., ... panels, and masks of what is forged or shared, as PNG
//   generated/...                     what a generator of pictures replied
//   metadata.json                     options, and for each question its sources, recipe, transform, truth
//                                     and the hashes of its files
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/base/result.h"
#include "awry/forge/paint.h"

namespace awry::forge {

class ImageGenerator;
class SourcePool;
struct Selection;

struct ThemisSetOptions {
  std::uint64_t seed = 1;
  // How many questions of each category.
  int splicing = 4, copy_move = 4, authentic = 4;
  int global_duplicates = 4, local_duplicates = 4, unrelated_pairs = 4;
  int panel_side = 384;  // the longer side of every panel
  // Taken in turn. Copy-moves and local duplicates want panels full of texture: of these kinds they use only
  // the micrographs, and copy-moves the blots too, if there are any.
  std::vector<PanelKind> kinds = {kRichPanelKinds.begin(), kRichPanelKinds.end()};

  int numerical_texts = 0, trend_texts = 0, consistent_texts = 0;
  int resynthesised = 0;  // in resynthesis.json, since THEMIS has no letter for them
  // Made by `generator`, which must outlive the call: whole panels, and regions of panels. Its replies are
  // kept under generated/, so that nothing is asked for twice.
  int ai_whole = 0, ai_regions = 0;
  ImageGenerator* generator = nullptr;
  bool released_mix = false;  // kinds and duplications in the release's proportions; `kinds` is not used
  // Given: duplicates go through these in turn, "local:scaling+contrast" (duplication_request.h), the global
  // ones through those for panels, the local ones through those for parts.
  std::vector<std::string> duplications;
  bool strict_quality = false;  // seams that show and forgeries of blank ground are turned away
  bool datasheet = false;       // also writes datasheet.html
  // Given: panels come from these pictures instead of being painted. It must outlive the call.
  const SourcePool* pool = nullptr;
  // Given: of the forgeries, only those that an inspector finds, or misses. It must outlive the call.
  const Selection* selection = nullptr;

  // These three do not change what is written.
  int threads = 1;
  std::function<void(std::size_t done, std::size_t total)> on_item;  // never called twice at the same time
  const CancelToken* cancel = nullptr;
};

inline constexpr int kMinSetPanelSide = 128, kMaxSetPanelSide = 2048;

struct ThemisSet {
  std::filesystem::path folder;
  std::size_t forgery_questions = 0, duplication_questions = 0;
  std::size_t text_questions = 0, resynthesis_questions = 0;
  std::size_t rejected = 0;                       // sources that were painted but did not allow the forgery
  std::map<std::string, int> rejected_by_reason;  // candidates within sources too
  std::size_t left_out = 0;           // questions none of whose candidates was what `selection` wants
  std::size_t unforgeable = 0;        // questions that no source allowed
  std::size_t found = 0, missed = 0;  // by the inspector of `selection`, of the questions kept
  bool already_there = false;         // the folder held the finished set; nothing was written
};

// The same options give the same bytes. A finished set of the same options is left as it is and an
// unfinished one is completed; a folder that holds anything else is an error, and nothing in it is touched.
Result<ThemisSet> forge_themis_set(const std::filesystem::path& folder, const ThemisSetOptions& options = {});

// Sets every count, so that `total` questions have the release's proportions; AI-generated ones only with a
// generator.
void take_released_counts(ThemisSetOptions& options, int total);

// Makes the set of `metadata` again, in another folder, and compares every file with the hash written then.
// A set made from pictures needs `pool` to hold them; what inspectors and generators said then is taken from
// the first set, and nobody is asked again. An error when its version is not ours, or a file
// differs.
struct ReplayOptions {
  const SourcePool* pool = nullptr;
  int threads = 1;
  std::function<void(std::size_t done, std::size_t total)> on_item;
  const CancelToken* cancel = nullptr;
};
struct Replayed {
  std::size_t files = 0;       // all of them the same
  bool already_there = false;  // the folder held the finished set: compared, but not made again
};
Result<Replayed> replay_set(const std::filesystem::path& metadata, const std::filesystem::path& folder,
                            const ReplayOptions& options = {});

}  // namespace awry::forge
