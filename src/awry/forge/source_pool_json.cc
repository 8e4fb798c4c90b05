// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/source_pool_json.h"

#include "awry/base/hash.h"

namespace awry::forge {
namespace {

Json json_of(const std::vector<Box>& boxes) {
  Json list = Json::array();
  for (const Box& box : boxes) list.push_back({box.x, box.y, box.width, box.height});
  return list;
}

std::vector<Box> boxes_from(const Json& list) {
  std::vector<Box> boxes;
  for (const Json& box : list)
    boxes.push_back(
        {box.at(0).get<double>(), box.at(1).get<double>(), box.at(2).get<double>(), box.at(3).get<double>()});
  return boxes;
}

}  // namespace

Json images_json(const SourcePool& pool) {
  Json images = Json::array();
  for (const PoolImage& image : pool.images()) {
    images.push_back({{"path", image.name}, {"sha256", image.sha256}, {"group", image.group}});
    if (!image.annotations.empty()) images.back()["annotations"] = json_of(image.annotations);
    if (!image.mask_sha256.empty()) images.back()["mask_sha256"] = image.mask_sha256;
  }
  return images;
}

Json figures_json(const SourcePool& pool) {
  Json figures = Json::array();
  for (const CaptionedFigure& figure : pool.figures()) {
    figures.push_back({{"path", figure.name},
                       {"sha256", figure.sha256},
                       {"caption", figure.caption},
                       {"sentences", figure.sentences},
                       {"lettering", figure.lettering.value_or(std::vector<std::string>())}});
  }
  return figures;
}

std::vector<PoolImage> pool_images_from(const Json& json) {
  std::vector<PoolImage> images;
  for (const Json& image : json) {
    images.push_back({.name = image.at("path").get<std::string>(),
                      .sha256 = image.at("sha256").get<std::string>(),
                      .group = image.at("group").get<int>()});
    images.back().mask_sha256 = image.value("mask_sha256", std::string());
    if (image.contains("annotations")) images.back().annotations = boxes_from(image.at("annotations"));
  }
  return images;
}

std::vector<CaptionedFigure> pool_figures_from(const Json& json) {
  std::vector<CaptionedFigure> figures;
  for (const Json& figure : json) {
    figures.push_back({.name = figure.at("path").get<std::string>(),
                       .sha256 = figure.at("sha256").get<std::string>(),
                       .caption = figure.at("caption").get<std::string>(),
                       .sentences = figure.at("sentences").get<std::vector<std::string>>(),
                       .lettering = figure.at("lettering").get<std::vector<std::string>>()});
  }
  return figures;
}

std::string digest_of(const SourcePool& pool) {
  FieldHasher hasher;
  for (const PoolImage& image : pool.images()) {
    hasher.add(image.name).add(image.sha256);
    // Only what there is, so that sets made of bare pictures keep their digest.
    if (!image.annotations.empty()) hasher.add(dump_json(json_of(image.annotations)));
    if (!image.mask_sha256.empty()) hasher.add(image.mask_sha256);
  }
  if (!pool.figures().empty()) hasher.add(dump_json(figures_json(pool)));
  return hasher.hex();
}

}  // namespace awry::forge
