// SPDX-License-Identifier: Apache-2.0
// One question of a forged THEMIS set: its panels, its truth, and how both came about, still in memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"
#include "awry/forge/duplicate.h"
#include "awry/forge/paint.h"
#include "awry/forge/quality.h"
#include "awry/forge/recipe.h"
#include "awry/forge/text_edit.h"
#include "awry/forge/themis_category.h"
#include "awry/imaging/block_grid.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"
#include "awry/records/finding.h"

namespace awry::forge {

class GenerationArchive;
class SourcePool;

struct ThemisItemPlan {
  ThemisCategory category = ThemisCategory::kSplicing;
  PanelKind kind = PanelKind::kMicrograph;
  int number = 1;  // of the question within its file
  SeedPath seed;
  int panel_side = 384;      // the longer side
  int donor_candidates = 3;  // painted for every splice; the most similar to the host is used
  int max_tries = 60;        // sources painted before giving up on a forgery
  std::optional<DuplicationPlan> duplication;  // of pairs; otherwise left to chance
  QualityLimits quality;
  const SourcePool* pool = nullptr;            // given: sources are taken from it instead of being painted
  std::size_t draw = 0;                        // where in the pool's order this item starts
  const GenerationArchive* archive = nullptr;  // AI-generated items: who makes them, and where replies go
};

struct ItemSource {
  std::string role;      // "host", "donor", "panel", "picture"
  SeedPath seed, style;  // the streams that, with kind and size, paint_panel paints it from
  PanelKind kind = PanelKind::kMicrograph;
  int width = 0, height = 0;
  std::string caption;
  std::vector<std::string> sentences;
  std::vector<Fact> facts;
  std::string sha256;  // of the file, or of the painted pixels, row by row
  std::string path;    // of a source from a pool
};

struct TextTruth {
  std::string caption, related;  // as shown
  std::string part;              // "caption" or "related_sentences"; empty: consistent
  std::vector<TextEdit> edits;
};

struct ItemPanel {
  std::string id;    // "duplication_3_a"
  std::string path;  // below the folder of the set
  imaging::Image image;
};

// A mask beside the panels: the forged pixels that the question is about, or for pairs the shared part of
// one panel, which the release does not publish.
struct ItemMask {
  std::string role;  // "forged", "copied_from", "copied_to", "shared_in_first", "shared_in_second"
  std::string path;
  imaging::Bitmap pixels;
};

struct ThemisItem {
  ThemisItemPlan plan;
  std::string question_id;
  std::string letters;  // the truth: "A", "DE"; "D" or "F" when nothing is wrong
  std::vector<ItemPanel> panels;
  std::vector<ItemMask> masks;
  std::optional<imaging::BlockGrid> grid;  // of a question about one panel
  std::vector<int> blocks;                 // of the grid that are forged
  std::vector<ItemSource> sources;
  Recipe recipe;                       // no operations for authentic items
  std::optional<Transform> transform;  // host from donor, target from source, second panel from first
  std::optional<double> duplication_ratio;
  std::optional<Finding> truth;        // absent: authentic
  std::vector<std::string> rejected;   // why earlier tries with other sources were given up
  RejectionTally tally;                // the same by reason, candidate by candidate
  std::vector<std::string> generated;  // recorded replies of a generator, those given up included
  std::string prompt;                  // of the last of them
  std::string scenario;
  std::optional<TextTruth> text;
};

// What all tries at a plan came to. Sources that do not allow a forgery happen in normal life; an error, such
// as a source that cannot be read any more, ends the whole set.
struct ForgeAttempt {
  std::optional<ThemisItem> item;
  std::string question_id;
  std::vector<std::string> rejected;  // these three as in the item
  RejectionTally tally;
  std::vector<std::string> generated;
};

// The same plan gives the same item.
Result<ForgeAttempt> attempt_themis_item(const ThemisItemPlan& plan);

// The same for those who need the item: no success is an error too.
Result<ThemisItem> forge_themis_item(const ThemisItemPlan& plan);

}  // namespace awry::forge
