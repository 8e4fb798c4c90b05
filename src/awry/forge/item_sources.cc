// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/item_sources.h"

#include <algorithm>
#include <utility>

#include "awry/base/hash.h"
#include "awry/forge/source_pool.h"

namespace awry::forge {
namespace {

std::string hash_of_pixels(const imaging::Image& image) {
  return sha256_hex({reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size()});
}

}  // namespace

PanelSize random_shape(int longer_side, RandomStream random) {
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

Result<Painted> load_source(ThemisItem& item, std::string role, std::size_t index, int longer_side) {
  const PoolImage& source = item.plan.pool->images()[index];
  AWRY_TRY_ASSIGN(Painted loaded, item.plan.pool->load(index, longer_side).map([](imaging::Image image) {
    return Painted{.image = std::move(image)};
  }));
  const double scale = static_cast<double>(loaded.image.width) / source.width;
  for (const Box& box : source.annotations)
    loaded.annotations.push_back({box.x * scale, box.y * scale, box.width * scale, box.height * scale});
  item.scenario = source.scenario;
  item.sources.push_back({.role = std::move(role),
                          .kind = item.plan.kind,
                          .width = loaded.image.width,
                          .height = loaded.image.height,
                          .sha256 = source.sha256,
                          .path = source.name});
  return loaded;
}

Result<Painted> load_figure(ThemisItem& item, int longer_side) {
  const auto figures = item.plan.pool->figures();
  const std::size_t index = (item.plan.draw + item.rejected.size()) % figures.size();
  const CaptionedFigure& figure = figures[index];
  AWRY_TRY_ASSIGN(imaging::Image image, item.plan.pool->load_figure(index, longer_side));
  item.sources.push_back({.role = "figure",
                          .kind = item.plan.kind,
                          .width = image.width,
                          .height = image.height,
                          .sha256 = figure.sha256,
                          .path = figure.name});
  const auto images = item.plan.pool->images();
  const auto shown = std::ranges::find_if(images, [&](const PoolImage& picture) {
    return std::ranges::find(figure.pictures, picture.name) != figure.pictures.end();
  });
  item.scenario = shown == images.end() ? "Others" : shown->scenario;
  return Painted{.image = std::move(image),
                 .caption = figure.caption,
                 .sentences = figure.sentences,
                 .lettering = figure.lettering.value_or(std::vector<std::string>())};
}

// Later tries go on where the other items are unlikely to be.
std::size_t pool_index(const ThemisItem& item) {
  const std::size_t count = item.plan.pool->images().size();
  return (item.plan.draw + item.rejected.size() * (count / 2 + 1)) % count;
}

Result<Painted> paint_source(ThemisItem& item, std::string role, PanelSize size, const SeedPath& seed,
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

}  // namespace awry::forge
