// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/generation_archive.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/json.h"
#include "awry/imaging/decode.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

std::string_view ending_of(imaging::ImageFormat format) {
  switch (format) {
    case imaging::ImageFormat::kPng:
      return "png";
    case imaging::ImageFormat::kJpeg:
      return "jpg";
    case imaging::ImageFormat::kWebp:
      return "webp";
    case imaging::ImageFormat::kTiff:
      return "tiff";
    case imaging::ImageFormat::kBmp:
      return "bmp";
  }
  return "bin";
}

Result<std::optional<ArchivedGeneration>> find(const fs::path& folder, const std::string& key) {
  std::error_code error;
  for (const char* ending : {"png", "jpg", "webp", "tiff", "bmp", "json"}) {
    ArchivedGeneration found{.path = fmt::format("generated/{}.{}", key, ending)};
    if (!fs::exists(folder / found.path, error)) continue;
    AWRY_TRY_ASSIGN(std::string bytes, read_file(folder / found.path));
    if (ending != std::string_view("json")) {
      found.generation.bytes = std::move(bytes);
      return found;
    }
    AWRY_TRY_ASSIGN(const Json refusal, parse_json(bytes, found.path));
    if (!refusal.is_object() || !refusal.contains("refusal") || !refusal["refusal"].is_string())
      return fail({.what = "cannot read a recorded refusal", .input = found.path, .why = "it says nothing"});
    found.generation.refusal = refusal["refusal"].get<std::string>();
    return found;
  }
  return std::nullopt;
}

class RecordedGenerator final : public ImageGenerator {
 public:
  RecordedGenerator(fs::path folder, std::string identity)
      : folder_(std::move(folder)), identity_(std::move(identity)) {}

  std::string identity() const override { return identity_; }

  Result<Generation> generate(const GenerationRequest& request) override {
    const std::string key = generation_key(identity_, request);
    AWRY_TRY_ASSIGN(auto found, find(folder_, key));
    if (found) return std::move(found->generation);
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot find the recorded reply",
                 .input = fmt::format("{}/generated/{}", folder_.string(), key),
                 .why = fmt::format("{} was not asked this when the set was made", identity_),
                 .hint = "Keep metadata.json beside the generated/ folder it was written with."});
  }

 private:
  fs::path folder_;
  std::string identity_;
};

}  // namespace

std::string generation_key(const std::string& identity, const GenerationRequest& request) {
  FieldHasher hasher;
  hasher.add(identity).add(request.prompt).add(request.occasion);
  hasher.add(static_cast<std::uint64_t>(request.width)).add(static_cast<std::uint64_t>(request.height));
  const auto add_pixels = [&](int width, const std::vector<std::uint8_t>& bytes) {
    hasher.add(static_cast<std::uint64_t>(width));
    hasher.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  if (request.picture != nullptr) add_pixels(request.picture->width, request.picture->pixels);
  if (request.region != nullptr) add_pixels(request.region->width, request.region->bits);
  return hasher.hex().substr(0, 32);
}

GenerationArchive::GenerationArchive(fs::path set_folder, ImageGenerator& generator)
    : folder_(std::move(set_folder)), generator_(generator) {}

Result<ArchivedGeneration> GenerationArchive::generate(const GenerationRequest& request) const {
  const std::string key = generation_key(generator_.identity(), request);
  AWRY_TRY_ASSIGN(auto found, find(folder_, key));
  if (found) return std::move(*found);

  ArchivedGeneration made;
  AWRY_TRY_ASSIGN(made.generation, generator_.generate(request));
  AWRY_TRY(make_folder(folder_ / "generated"));
  if (!made.generation.refusal.empty()) {
    made.path = fmt::format("generated/{}.json", key);
    AWRY_TRY(write_json_file(folder_ / made.path, {{"refusal", made.generation.refusal}}));
    return made;
  }
  AWRY_TRY_ASSIGN(const imaging::ImageInfo info,
                  imaging::probe_image_bytes(made.generation.bytes, generator_.identity()));
  made.path = fmt::format("generated/{}.{}", key, ending_of(info.format));
  AWRY_TRY(write_file(folder_ / made.path, made.generation.bytes));
  return made;
}

std::unique_ptr<ImageGenerator> make_recorded_generator(fs::path set_folder, std::string identity) {
  return std::make_unique<RecordedGenerator>(std::move(set_folder), std::move(identity));
}

}  // namespace awry::forge
