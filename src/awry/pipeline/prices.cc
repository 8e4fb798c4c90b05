// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "awry/base/json.h"
#include "awry/imaging/decode.h"

namespace awry::pipeline {
namespace {

constexpr std::size_t kBytesPerToken = 4;
constexpr long long kTurnTokens = 4;  // what role and separators take
constexpr long long kPictureTokens = 85, kTileTokens = 170;
constexpr double kLongestEdge = 2048, kShorterEdge = 768, kTileEdge = 512;

Result<double> price_field(const Json& json, const char* name, const std::string& source) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number() || found->get<double>() < 0) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot read price",
                 .input = source,
                 .why = fmt::format("'{}' must be US dollars, for a million tokens or for an image", name)});
  }
  return found->get<double>();
}

}  // namespace

std::optional<Price> PriceList::of(std::string_view model) const {
  if (const auto found = models.find(model); found != models.end()) return found->second;
  if (const auto others = models.find("*"); others != models.end()) return others->second;
  return std::nullopt;
}

Result<PriceList> read_price_file(const std::filesystem::path& path) {
  AWRY_TRY_ASSIGN(const Json json, read_json_file(path));
  if (!json.is_object() || !json.contains("models") || !json["models"].is_object()) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot read price file",
                 .input = path.string(),
                 .why = "it has no object 'models'",
                 .hint = R"(Write it like this: {"models": {"gpt-4o": {"input": 2.5, "output": 10}}}.)"});
  }
  PriceList list;
  for (const auto& [model, price] : json["models"].items()) {
    const std::string source = fmt::format("{}: {}", path.string(), model);
    Price& known = list.models[model];
    if (price.is_object() && price.contains("image")) {
      AWRY_TRY_ASSIGN(known.image_usd, price_field(price, "image", source));
      if (!price.contains("input") && !price.contains("output")) continue;
    }
    AWRY_TRY_ASSIGN(known.input_usd_per_million, price_field(price, "input", source));
    AWRY_TRY_ASSIGN(known.output_usd_per_million, price_field(price, "output", source));
  }
  return list;
}

double cost_of(const Usage& usage, const Price& price) {
  return (static_cast<double>(usage.input_tokens) * price.input_usd_per_million +
          static_cast<double>(usage.output_tokens) * price.output_usd_per_million) /
         1e6;
}

long long guess_picture_tokens(int width, int height) {
  double w = std::max(1, width), h = std::max(1, height);
  const double to_square = std::min(1.0, kLongestEdge / std::max(w, h));
  w *= to_square, h *= to_square;
  const double to_short = std::min(1.0, kShorterEdge / std::min(w, h));
  w *= to_short, h *= to_short;
  return kPictureTokens + kTileTokens * std::llround(std::ceil(w / kTileEdge) * std::ceil(h / kTileEdge));
}

long long guess_input_tokens(const Sample& sample, const Question& question,
                             const inspectors::vlm::PictureLimits& limits) {
  std::size_t bytes = question.prompt.size();
  for (const EarlierTurn& turn : question.earlier) bytes += turn.prompt.size() + turn.reply.size();
  const auto turns = static_cast<long long>(question.earlier.size() * 2 + 1);
  long long tokens = static_cast<long long>(bytes / kBytesPerToken) + 1 + turns * kTurnTokens;
  for (const int index : question.images) {
    if (index < 0 || static_cast<std::size_t>(index) >= sample.images.size()) continue;
    const Result<imaging::ImageInfo> info =
        imaging::probe_image(sample.images[static_cast<std::size_t>(index)].path);
    if (!info) continue;  // it will not be sent either
    double scale = 1;
    if (limits.max_long_edge > 0) {
      scale = std::min(1.0, static_cast<double>(limits.max_long_edge) / std::max(info->width, info->height));
    }
    const double pixels = scale * scale * info->width * info->height;
    if (limits.max_pixels > 0 && pixels > static_cast<double>(limits.max_pixels)) {
      scale *= std::sqrt(static_cast<double>(limits.max_pixels) / pixels);
    }
    tokens += guess_picture_tokens(static_cast<int>(std::lround(info->width * scale)),
                                   static_cast<int>(std::lround(info->height * scale)));
  }
  return tokens;
}

}  // namespace awry::pipeline
