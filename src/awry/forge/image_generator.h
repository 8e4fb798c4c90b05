// SPDX-License-Identifier: Apache-2.0
// Whoever makes pictures on request: a model behind an endpoint, or a recording of one. The forge does not
// know which; without one it calls nothing AI-generated.
#pragma once

#include <string>

#include "awry/base/result.h"
#include "awry/imaging/image.h"
#include "awry/imaging/mask.h"

namespace awry::forge {

struct GenerationRequest {
  std::string prompt;
  const imaging::Image* picture = nullptr;  // to be changed; nullptr: made from the prompt alone
  const imaging::Bitmap* region = nullptr;  // of the picture, that may change; nullptr: all of it
  int width = 0, height = 0;                // as wanted: what comes may have another size
  std::string occasion;                     // not sent: two panels may well be described by the same words
};

struct Generation {
  std::string bytes;    // of a picture file, as received
  std::string refusal;  // not empty: it will not make this picture, however often it is asked
};

class ImageGenerator {
 public:
  virtual ~ImageGenerator() = default;
  virtual std::string identity() const = 0;  // "gpt-image-1": recorded, so never a secret
  // Any thread. An error when it could not be asked: another time it may answer.
  virtual Result<Generation> generate(const GenerationRequest& request) = 0;
};

}  // namespace awry::forge
