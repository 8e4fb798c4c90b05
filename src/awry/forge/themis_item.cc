// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/themis_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <utility>

#include "awry/base/hash.h"
#include "awry/forge/compose.h"
#include "awry/forge/copy_move.h"
#include "awry/forge/duplicate.h"
#include "awry/forge/resynthesis.h"
#include "awry/forge/similarity.h"
#include "awry/forge/source_pool.h"
#include "awry/forge/splice.h"

namespace awry::forge {
namespace {

struct Size {
  int width = 0, height = 0;
};

Size random_shape(int longer_side, RandomStream random) {
  const int shorter_side = longer_side * 3 / 4;
  switch (random.integer(0, 3)) {
    case 0:
      return {longer_side, shorter_side};
    case 1:
      return {shorter_side, longer_side};
    default:
      return {longer_side, longer_side};
  }
}

// The release has mostly four or six blocks, with more of them along the longer side.
imaging::BlockGrid random_grid(Size panel, RandomStream random) {
  constexpr std::array kGrids = {imaging::BlockGrid{2, 2}, imaging::BlockGrid{2, 3},
                                 imaging::BlockGrid{3, 2}};
  if (panel.width > panel.height) return kGrids[1];
  if (panel.width < panel.height) return kGrids[2];
  return random.pick(kGrids);
}

// A picture of the pool takes the place of a painted one: annotations and caption are not known.
Result<Painted> load_source(ThemisItem& item, std::string role, std::size_t index, int longer_side) {
  const PoolImage& source = item.plan.pool->images()[index];
  AWRY_TRY_ASSIGN(Painted loaded, item.plan.pool->load(index, longer_side).map([](imaging::Image image) {
    return Painted{.image = std::move(image)};
  }));
  item.scenario = source.scenario;
  item.sources.push_back({.role = std::move(role),
                          .kind = item.plan.kind,
                          .width = loaded.image.width,
                          .height = loaded.image.height,
                          .sha256 = source.sha256,
                          .path = source.name});
  return loaded;
}

// Later tries go on where the other items are unlikely to be.
std::size_t pool_index(const ThemisItem& item, std::size_t step = 0) {
  const std::size_t count = item.plan.pool->images().size();
  return (item.plan.draw + item.rejected.size() * (count / 2 + 1) + step) % count;
}

std::string hash_of_pixels(const imaging::Image& image) {
  return sha256_hex({reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size()});
}

// All sources of one try share a style, as panels of one figure do.
Result<Painted> paint_source(ThemisItem& item, std::string role, Size size, const SeedPath& seed,
                             const SeedPath& style) {
  if (item.plan.pool != nullptr)
    return load_source(item, std::move(role), pool_index(item), std::max(size.width, size.height));
  AWRY_TRY_ASSIGN(Painted painted,
                  paint_panel(item.plan.kind, size.width, size.height, seed.stream(), style.stream()));
  item.sources.push_back({.role = std::move(role),
                          .seed = seed,
                          .style = style,
                          .kind = painted.kind,
                          .width = size.width,
                          .height = size.height,
                          .caption = painted.caption,
                          .sentences = painted.sentences,
                          .facts = painted.facts,
                          .sha256 = hash_of_pixels(painted.image)});
  return painted;
}

void add_panel(ThemisItem& item, std::string_view suffix, imaging::Image image) {
  std::string id = item.question_id + std::string(suffix);
  std::string path = fmt::format("{}/panel/{}.png", folder_of(item.plan.category), id);
  item.panels.push_back({std::move(id), std::move(path), std::move(image)});
}

void add_mask(ThemisItem& item, std::string role, std::string_view suffix, imaging::Bitmap pixels) {
  std::string path =
      fmt::format("{}/mask/{}{}_mask.png", folder_of(item.plan.category), item.question_id, suffix);
  item.masks.push_back({std::move(role), std::move(path), std::move(pixels)});
}

// A panel to be asked about alone: every such question gets a grid, so that having one betrays nothing.
Result<void> lay_grid(ThemisItem& item, const imaging::Bitmap* forged) {
  const imaging::Image& image = item.panels.front().image;
  item.grid = random_grid({image.width, image.height}, item.plan.seed.child("grid").stream());
  if (forged == nullptr) return {};
  AWRY_TRY_ASSIGN(BlockSet set, imaging::blocks_from_bitmap(*forged, *item.grid));
  item.blocks = std::move(set.blocks);
  add_mask(item, "forged", "", *forged);
  return {};
}

// What a try leaves behind: nothing on success, the reason it has to be given up, or an error that no other
// try can mend.
using Rejection = std::optional<std::string>;

bool has_grain(PanelKind kind) {
  return kind != PanelKind::kChart && kind != PanelKind::kDiagram && kind != PanelKind::kTable &&
         kind != PanelKind::kScreenshot;
}

// What makes a splice believable depends on what a panel shows: bars stand where bars stood, a patch of
// tissue lies where the other body has the same organ, and bands are small.
SpliceOptions splice_options(PanelKind kind) {
  switch (kind) {
    case PanelKind::kDiagram:
    case PanelKind::kTable:
    case PanelKind::kScreenshot:
      return {.min_area = 0.015, .max_area = 0.40, .max_shift_x = 0, .max_shift_y = 0, .min_change = 3};
    case PanelKind::kPhysicalObject:
      return {.min_area = 0.015, .max_area = 0.25, .max_shift_x = 0.04, .max_shift_y = 0.04};
    case PanelKind::kChart:
      return {.max_shift_x = 0, .max_shift_y = 0};
    case PanelKind::kMedicalScan:
      return {.max_area = 0.25, .max_shift_x = 0.02, .max_shift_y = 0.02};
    case PanelKind::kBlot:
      return {.min_area = 0.015, .max_area = 0.25};
    case PanelKind::kMicrograph:
    case PanelKind::kStainedMicrograph:
      return {.max_area = 0.40};
  }
  std::abort();
}

void take_splice(ThemisItem& item, Splice splice, Operation pair_search) {
  item.letters = "A";
  item.recipe = std::move(splice.recipe);
  item.recipe.operations.insert(item.recipe.operations.begin(), std::move(pair_search));
  item.transform = splice.host_from_donor;
  item.truth = std::move(splice.truth);
  add_panel(item, "", std::move(splice.image));
}

// The pool knows its most similar pairs; each is used in both directions, by items that follow each other.
Result<Rejection> try_splice_from_pool(ThemisItem& item, const SeedPath& seed) {
  const auto pairs = item.plan.pool->pairs();
  if (pairs.empty()) return Rejection("the pool has no two different pictures");
  const std::size_t rank = (item.plan.draw / 2 + item.rejected.size() * 7) % pairs.size();
  const SimilarPair& pair = pairs[rank];
  const bool backwards = item.plan.draw % 2 == 1;
  AWRY_TRY_ASSIGN(const Painted host,
                  load_source(item, "host", backwards ? pair.first : pair.second, item.plan.panel_side));
  AWRY_TRY_ASSIGN(const Painted donor,
                  load_source(item, "donor", backwards ? pair.second : pair.first, item.plan.panel_side));
  auto splice = forge_splice({donor.image, {}}, {host.image, {}}, seed.child("splice"),
                             {.quality = item.plan.quality, .tally = &item.tally});
  if (!splice) return Rejection(splice.error().message());
  const imaging::Bitmap mask = splice->mask;
  take_splice(item, std::move(*splice),
              {"pair_search", {{"rank", static_cast<double>(rank)}, {"similarity", pair.score}}});
  AWRY_TRY(lay_grid(item, &mask));
  return Rejection();
}

Result<Rejection> try_splice(ThemisItem& item, const SeedPath& seed) {
  if (item.plan.pool != nullptr) return try_splice_from_pool(item, seed);
  const Size size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted host,
                  paint_source(item, "host", size, seed.child("host"), seed.child("style")));
  const PanelSignature host_signature = signature_of(host.image);
  std::optional<Painted> donor;
  ItemSource donor_source;
  int chosen = 0;
  double best = -1;
  for (int i = 0; i < item.plan.donor_candidates; ++i) {
    const SeedPath donor_seed = seed.child("donor").child(static_cast<std::uint64_t>(i));
    AWRY_TRY_ASSIGN(Painted candidate, paint_source(item, "donor", size, donor_seed, seed.child("style")));
    ItemSource source = std::move(item.sources.back());
    item.sources.pop_back();
    const double score = similarity(host_signature, signature_of(candidate.image)).total();
    if (score <= best) continue;
    best = score, chosen = i, donor = std::move(candidate), donor_source = std::move(source);
  }
  item.sources.push_back(std::move(donor_source));
  SpliceOptions options = splice_options(item.plan.kind);
  options.quality = item.plan.quality, options.tally = &item.tally;
  // Drawn panels are blank for the most part, and so is what they are forged with.
  if (!has_grain(item.plan.kind)) options.quality.max_blank_share = QualityLimits{}.max_blank_share;
  auto splice = forge_splice({donor->image, donor->annotations}, {host.image, host.annotations},
                             seed.child("splice"), options);
  if (!splice) return Rejection(splice.error().message());
  const imaging::Bitmap mask = splice->mask;
  take_splice(item, std::move(*splice),
              {"pair_search",
               {{"candidates", static_cast<double>(item.plan.donor_candidates)},
                {"chosen", static_cast<double>(chosen)},
                {"similarity", best}}});
  AWRY_TRY(lay_grid(item, &mask));
  return Rejection();
}

Result<Rejection> try_copy_move(ThemisItem& item, const SeedPath& seed) {
  const Size size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted panel,
                  paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  auto forged = forge_copy_move(panel.image, panel.annotations, seed.child("copy_move"),
                                {.quality = item.plan.quality, .tally = &item.tally});
  if (!forged) return Rejection(forged.error().message());

  item.letters = "B";
  item.recipe = std::move(forged->recipe);
  item.transform = std::get<Pair>(forged->truth.where).second_from_first;
  item.truth = std::move(forged->truth);
  add_panel(item, "", std::move(forged->image));
  // Nobody can tell the original from its copy, so both belong to the truth.
  const imaging::Bitmap both = united(forged->source, forged->target);
  AWRY_TRY(lay_grid(item, &both));
  add_mask(item, "copied_from", "_from", std::move(forged->source));
  add_mask(item, "copied_to", "_to", std::move(forged->target));
  return Rejection();
}

Result<Rejection> paint_authentic(ThemisItem& item, const SeedPath& seed) {
  const Size size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(Painted panel, paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  item.letters = "D";
  item.recipe.seed = seed;
  add_panel(item, "", std::move(panel.image));
  AWRY_TRY(lay_grid(item, nullptr));
  return Rejection();
}

// Two pictures of different groups, of one scenario if there are any.
Result<Rejection> load_unrelated(ThemisItem& item) {
  const auto images = item.plan.pool->images();
  const std::size_t first = pool_index(item);
  std::optional<std::size_t> second;
  for (std::size_t step = 1; step < images.size(); ++step) {
    const std::size_t other = (first + step) % images.size();
    if (images[other].group == images[first].group) continue;
    if (!second) second = other;
    if (images[other].scenario != images[first].scenario) continue;
    second = other;
    break;
  }
  if (!second) return Rejection("all pictures of the pool are near-duplicates");
  for (const auto& [suffix, index] : {std::pair("_a", first), std::pair("_b", *second)}) {
    AWRY_TRY_ASSIGN(Painted panel, load_source(item, "panel", index, item.plan.panel_side));
    add_panel(item, suffix, std::move(panel.image));
  }
  return Rejection();
}

Result<Rejection> paint_unrelated(ThemisItem& item, const SeedPath& seed) {
  const Size size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  item.letters = "F";
  item.recipe.seed = seed;
  if (item.plan.pool != nullptr) return load_unrelated(item);
  for (const char* side : {"a", "b"}) {
    AWRY_TRY_ASSIGN(Painted panel,
                    paint_source(item, "panel", size, seed.child("panel").child(side), seed.child("style")));
    add_panel(item, fmt::format("_{}", side), std::move(panel.image));
  }
  return Rejection();
}

Result<Rejection> try_resynthesis(ThemisItem& item, const SeedPath& seed) {
  const Size size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted panel,
                  paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  auto forged =
      forge_resynthesis(panel.image, panel.annotations, seed.child("resynthesis"), {.tally = &item.tally});
  if (!forged) return Rejection(forged.error().message());
  item.recipe = std::move(forged->recipe);
  item.truth = std::move(forged->truth);
  add_panel(item, "", std::move(forged->image));
  AWRY_TRY(lay_grid(item, &forged->mask));
  return Rejection();
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
  return text;
}

// As in the release: half of the tampered texts have one edit, a third two; four fifths are in the sentences.
int random_edit_count(RandomStream& random) {
  const double chance = random.uniform();
  return chance < 0.50 ? 1 : chance < 0.85 ? 2 : 3;
}

Result<Rejection> try_text(ThemisItem& item, const SeedPath& seed) {
  const Size size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(Painted panel, paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  item.recipe.seed = seed;
  TextTruth text{.caption = panel.caption, .related = joined(panel.sentences)};
  RandomStream random = seed.child("text").stream();
  if (item.plan.category == ThemisCategory::kConsistentText) {
    item.letters = "C";
  } else {
    const bool numerical = item.plan.category == ThemisCategory::kNumericalText;
    const TextEditOptions options{.kind = numerical ? TextEditKind::kNumerical : TextEditKind::kTrend,
                                  .edits = random_edit_count(random),
                                  .words_in_picture = panel.lettering};
    const bool in_caption = random.chance(0.18);
    auto edited = edit_text(in_caption ? text.caption : text.related, options, random.fork("edits"));
    if (!edited) {
      ++item.tally["no_token_to_edit"];
      return Rejection(edited.error().message());
    }
    item.letters = numerical ? "A" : "B";
    text.part = in_caption ? "caption" : "related_sentences";
    (in_caption ? text.caption : text.related) = edited->text;
    text.edits = std::move(edited->edits);
    for (const TextEdit& edit : text.edits) {
      item.recipe.operations.push_back(
          {numerical ? "replace_number" : "reverse_trend", {{"offset", static_cast<double>(edit.offset)}}});
    }
    item.truth = Finding{.where = TextSpan{text.part, text.edits.front().clause_after},
                         .type = numerical ? "numerical" : "trend",
                         .by = {.kind = AuthorKind::kForger, .name = "forge/text_edit", .version = "1"}};
  }
  item.text = std::move(text);
  std::string path = fmt::format("{}/figure/{}.png", folder_of(item.plan.category), item.question_id);
  item.panels.push_back({item.question_id, std::move(path), std::move(panel.image)});
  return Rejection();
}

void take_pair(ThemisItem& item, DuplicatePair pair, RandomStream random) {
  item.recipe = pair.recipe;
  // Otherwise the retouched panel would always be the second one asked about.
  if (random.chance(0.5)) {
    pair = exchanged(std::move(pair));
    item.recipe.operations.push_back({"exchange_panels", {}});
  }
  item.letters = pair.letters;
  item.transform = pair.second_from_first;
  item.duplication_ratio = pair.duplication_ratio;
  item.truth = std::move(pair.truth);
  add_panel(item, "_a", std::move(pair.first));
  add_panel(item, "_b", std::move(pair.second));
  add_mask(item, "shared_in_first", "_a", std::move(pair.shared_in_first));
  add_mask(item, "shared_in_second", "_b", std::move(pair.shared_in_second));
}

Result<Rejection> try_global_duplicate(ThemisItem& item, const SeedPath& seed) {
  const Size size = random_shape(item.plan.panel_side, seed.child("shape").stream());
  AWRY_TRY_ASSIGN(const Painted panel,
                  paint_source(item, "panel", size, seed.child("panel"), seed.child("style")));
  const DuplicationPlan plan =
      item.plan.duplication.value_or(plan_global_duplication(seed.child("plan").stream()));
  auto pair = duplicate_globally(panel.image, plan, seed.child("duplicate"));
  if (!pair) return Rejection(pair.error().message());
  take_pair(item, std::move(*pair), seed.child("order").stream());
  return Rejection();
}

// Whether the edge of a window runs through a scale bar or label: half a scale bar is no forger's choice.
bool window_cuts(const Operation& crop, const std::vector<Box>& annotations) {
  const double left = crop.settings.at("x"), top = crop.settings.at("y");
  const double right = left + crop.settings.at("width"), bottom = top + crop.settings.at("height");
  return std::ranges::any_of(annotations, [&](const Box& box) {
    const bool apart =
        box.x >= right || box.y >= bottom || box.x + box.width <= left || box.y + box.height <= top;
    const bool within =
        box.x >= left && box.y >= top && box.x + box.width <= right && box.y + box.height <= bottom;
    return !apart && !within;
  });
}

Result<Rejection> try_local_duplicate(ThemisItem& item, const SeedPath& seed) {
  constexpr double kPictureSides = 1.75;  // room for two panels that share less than half
  constexpr int kMinPictureSide = 350;    // THEMIS cuts no smaller panels
  Size panel = random_shape(item.plan.panel_side, seed.child("shape").stream());
  const auto side = [&](int of_panel) {
    return std::max(kMinPictureSide, static_cast<int>(std::lround(of_panel * kPictureSides)));
  };
  Size size{side(panel.width), side(panel.height)};
  // A picture of the pool keeps its shape, so its shorter side needs room too.
  if (item.plan.pool != nullptr) size = {std::max(size.width, 2 * kMinPictureSide), size.height};
  AWRY_TRY_ASSIGN(const Painted picture,
                  paint_source(item, "picture", size, seed.child("picture"), seed.child("style")));
  if (item.plan.pool != nullptr) {
    if (std::min(picture.image.width, picture.image.height) < kMinPictureSide) {
      ++item.tally["below_350x350"];
      return Rejection("the picture has less than 350x350 pixels");
    }
    panel = {static_cast<int>(picture.image.width / kPictureSides),
             static_cast<int>(picture.image.height / kPictureSides)};
  }
  const DuplicationPlan plan =
      item.plan.duplication.value_or(plan_local_duplication(seed.child("plan").stream()));
  auto pair = duplicate_locally(picture.image, panel.width, panel.height, plan, seed.child("duplicate"));
  if (!pair) {
    ++item.tally["no_room_for_two_windows"];
    return Rejection(pair.error().message());
  }
  for (const Operation& operation : pair->recipe.operations) {
    if (operation.name.starts_with("crop_") && window_cuts(operation, picture.annotations)) {
      ++item.tally["cuts_annotation"];
      return Rejection("a window cuts through a scale bar or label");
    }
  }
  take_pair(item, std::move(*pair), seed.child("order").stream());
  return Rejection();
}

Result<Rejection> try_category(ThemisItem& item, const SeedPath& seed) {
  switch (item.plan.category) {
    case ThemisCategory::kSplicing:
      return try_splice(item, seed);
    case ThemisCategory::kCopyMove:
      return try_copy_move(item, seed);
    case ThemisCategory::kAuthentic:
      return paint_authentic(item, seed);
    case ThemisCategory::kGlobalDuplicate:
      return try_global_duplicate(item, seed);
    case ThemisCategory::kLocalDuplicate:
      return try_local_duplicate(item, seed);
    case ThemisCategory::kUnrelatedPair:
      return paint_unrelated(item, seed);
    case ThemisCategory::kNumericalText:
    case ThemisCategory::kTrendText:
    case ThemisCategory::kConsistentText:
      return try_text(item, seed);
    case ThemisCategory::kResynthesis:
      return try_resynthesis(item, seed);
  }
  std::abort();
}

Result<Rejection> try_once(ThemisItem& item, const SeedPath& seed) {
  try {
    return try_category(item, seed);
  } catch (const std::exception& error) {  // OpenCV's, or memory running out
    return fail({.what = "cannot forge", .input = item.question_id, .why = error.what()});
  }
}

}  // namespace

bool is_about_pairs(ThemisCategory category) {
  return category == ThemisCategory::kGlobalDuplicate || category == ThemisCategory::kLocalDuplicate ||
         category == ThemisCategory::kUnrelatedPair;
}

std::string_view folder_of(ThemisCategory category) {
  switch (category) {
    case ThemisCategory::kSplicing:
      return "forgery/splicing";
    case ThemisCategory::kCopyMove:
      return "forgery/copy_move";
    case ThemisCategory::kAuthentic:
      return "forgery/authentic";
    case ThemisCategory::kGlobalDuplicate:
      return "duplication/global";
    case ThemisCategory::kLocalDuplicate:
      return "duplication/partial";
    case ThemisCategory::kUnrelatedPair:
      return "duplication/authentic";
    case ThemisCategory::kNumericalText:
      return "text_image_inconsistency/numerical";
    case ThemisCategory::kTrendText:
      return "text_image_inconsistency/trend";
    case ThemisCategory::kConsistentText:
      return "text_image_inconsistency/consistent";
    case ThemisCategory::kResynthesis:
      return "resynthesis/region";
  }
  std::abort();
}

bool is_about_text(ThemisCategory category) {
  return category == ThemisCategory::kNumericalText || category == ThemisCategory::kTrendText ||
         category == ThemisCategory::kConsistentText;
}

std::string_view question_file_of(ThemisCategory category) {
  if (is_about_pairs(category)) return "duplication";
  if (is_about_text(category)) return "text_image_inconsistency";
  return category == ThemisCategory::kResynthesis ? "resynthesis" : "forgery";
}

Result<ThemisItem> forge_themis_item(const ThemisItemPlan& plan) {
  const std::string id = fmt::format(
      "{}_{}", is_about_text(plan.category) ? "consistency" : question_file_of(plan.category), plan.number);
  if (plan.max_tries < 1 || plan.donor_candidates < 1) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot forge",
                 .input = id,
                 .why = fmt::format("{} tries and {} candidate donors are allowed; it takes one of each",
                                    plan.max_tries, plan.donor_candidates)});
  }
  std::vector<std::string> rejected;
  RejectionTally tally;
  for (int i = 0; i < plan.max_tries; ++i) {
    ThemisItem item{.plan = plan,
                    .question_id = id,
                    .rejected = rejected,
                    .tally = tally,
                    .scenario = std::string(scenario_of(plan.kind))};
    AWRY_TRY_ASSIGN(const Rejection rejection,
                    try_once(item, plan.seed.child("try").child(static_cast<std::uint64_t>(i))));
    if (!rejection) return item;
    tally = std::move(item.tally);
    ++tally["source_given_up"];
    rejected.push_back(*rejection);
  }
  return fail({.what = "cannot forge",
               .input = fmt::format("{} ({} in a {})", id, folder_of(plan.category), name_of(plan.kind)),
               .why = fmt::format("none of {} painted sources allowed it; the last: {}", plan.max_tries,
                                  rejected.back()),
               .hint = "Use larger panels, other kinds or another seed."});
}

}  // namespace awry::forge
