// SPDX-License-Identifier: Apache-2.0
#include "awry/pipeline/image_endpoint.h"

#include <fmt/format.h>

#include <utility>

#include "awry/base/text.h"
#include "awry/imaging/encode.h"
#include "awry/imaging/resize.h"
#include "awry/inspectors/vlm/image_edits.h"

namespace awry::pipeline {
namespace {

namespace vlm = inspectors::vlm;

struct Size {
  int width = 0, height = 0;
  std::string text() const { return fmt::format("{}x{}", width, height); }
};

Result<Size> parse_size(const std::string& text) {
  const auto sides = split(text, 'x');
  if (sides.size() == 2) {
    const auto width = parse_integer(sides[0]), height = parse_integer(sides[1]);
    if (width && height && *width >= 16 && *height >= 16 && *width <= 8192 && *height <= 8192)
      return Size{static_cast<int>(*width), static_cast<int>(*height)};
  }
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot ask for pictures of size",
               .input = text,
               .why = "it is not two sides between 16 and 8192",
               .hint = "Write 1024x1024."});
}

// RGBA, transparent where the picture may change: what /images/edits asks for.
imaging::Image transparent_where(const imaging::Image& picture, const imaging::Bitmap& region) {
  imaging::Image mask(picture.width, picture.height, 4, 255);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      for (int c = 0; c < 3; ++c) mask.at(x, y)[c] = picture.at(x, y)[c];
      // The nearest pixel of the region, which has the size of the panel before it was resized.
      const int from_x = x * region.width / picture.width, from_y = y * region.height / picture.height;
      mask.at(x, y)[3] = region.at(from_x, from_y) != 0 ? 0 : 255;
    }
  }
  return mask;
}

class EndpointGenerator final : public forge::ImageGenerator {
 public:
  EndpointGenerator(std::string model, std::optional<Size> size, std::vector<vlm::Endpoint> endpoints,
                    const vlm::ClientOptions& options)
      : model_(std::move(model)), size_(size), client_(std::move(endpoints), options) {}

  std::string identity() const override { return model_; }

  Result<forge::Generation> generate(const forge::GenerationRequest& request) override {
    const Size size = size_.value_or(usual_size(request));
    vlm::ImageRequest image{.model = model_, .prompt = request.prompt, .size = size.text()};
    if (request.picture != nullptr) {
      const imaging::Image sent = imaging::resize_direct(*request.picture, size.width, size.height).image;
      image.picture_png = imaging::encode_png(sent);
      if (request.region != nullptr)
        image.mask_png = imaging::encode_png(transparent_where(sent, *request.region));
    }
    AWRY_TRY_ASSIGN(vlm::ImageReply reply, client_.make(image));
    return forge::Generation{.bytes = std::move(reply.bytes), .refusal = std::move(reply.refusal)};
  }

 private:
  Size usual_size(const forge::GenerationRequest& request) const {
    if (!model_.starts_with("gpt-image") || request.width == request.height) return {1024, 1024};
    return request.width > request.height ? Size{1536, 1024} : Size{1024, 1536};
  }

  const std::string model_;
  const std::optional<Size> size_;
  vlm::ImageClient client_;
};

}  // namespace

Result<std::unique_ptr<forge::ImageGenerator>> make_endpoint_generator(const ImageEndpointOptions& options,
                                                                       const EndpointSettings& settings) {
  std::optional<Size> size;
  if (!options.size.empty()) {
    AWRY_TRY_ASSIGN(size, parse_size(options.size));
  }
  AWRY_TRY_ASSIGN(std::vector<vlm::Endpoint> endpoints,
                  vlm::resolve_endpoints(settings.endpoints, settings.environment));
  return std::make_unique<EndpointGenerator>(options.model, size, std::move(endpoints), settings.client);
}

}  // namespace awry::pipeline
