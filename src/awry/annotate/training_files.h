// SPDX-License-Identifier: Apache-2.0
// Annotations as conversations to fine-tune a model on, the way AnomReason's model was trained: all anomalies
// of an image in one answer, in random order, split over several conversations where they exceed a token
// limit.
//
//   kLlamaFactory  a ShareGPT list with <image> tags, and dataset_info.json that describes it
//   kMessages      JSON lines with "messages" and "images"
//   kReleased      records as AnomReason released them: image, id, conversations
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "awry/agents/annotation.h"

namespace awry::annotate {

struct Conversation {
  std::string id;     // of the sample, with "#2" behind it for the second of several
  std::string image;  // path
  std::vector<std::pair<std::string, std::string>> turns;  // question and answer; the image is in the first
};

struct TrainingOptions {
  std::uint64_t seed = 0;          // of the order of anomalies and of conversations
  std::size_t max_tokens = 2048;   // of an answer, guessed from its bytes; one anomaly is never cut
  bool shuffle_images = true;      // conversations in random order, too
  bool deepfake = false;           // two turns: generated or real, then the anomalies
  bool with_clean_images = false;  // images without anomalies are answered with "No anomalies."
};

struct TrainingSet {
  std::vector<Conversation> conversations;
  std::size_t anomalies = 0;
  std::size_t without_anomalies = 0;  // images left out for that
  std::size_t split_images = 0;       // those with several conversations
  std::size_t without_source = 0;     // images left out because a deepfake set must know what they are
};

TrainingSet make_training_set(std::span<const agents::ImageAnnotation> annotations,
                              const TrainingOptions& options);

enum class TrainingFormat { kLlamaFactory, kMessages, kReleased };

std::string write_training_set(const TrainingSet& set, TrainingFormat format);
// dataset_info.json for LLaMA-Factory: the set called `name`, in the file `file_name`.
std::string write_dataset_info(const std::string& name, const std::string& file_name);

}  // namespace awry::annotate
