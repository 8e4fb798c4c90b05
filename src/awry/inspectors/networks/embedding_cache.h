// SPDX-License-Identifier: Apache-2.0
// Embeddings on disk, so that scoring the same truths again costs no second pass through the model.
//
// One file per model, layer and precision, named by their hash; records are only ever appended. Several
// processes may share it. A record that was cut off or damaged is told by its checksum and made anew.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "awry/base/result.h"
#include "awry/inspectors/networks/text_model.h"

namespace awry::inspectors::networks {

class EmbeddingCache {
 public:
  // Makes the folder and the file where they are not there yet.
  static Result<std::unique_ptr<EmbeddingCache>> open(const std::filesystem::path& folder,
                                                      const TextModel& model);
  ~EmbeddingCache();
  EmbeddingCache(const EmbeddingCache&) = delete;
  EmbeddingCache& operator=(const EmbeddingCache&) = delete;

  std::optional<std::vector<float>> find(std::span<const Token> text) const;
  Result<void> add(std::span<const Token> text, std::span<const float> rows);

  std::size_t size() const { return places_.size(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  using Key = std::array<std::uint64_t, 4>;
  struct Header;

  EmbeddingCache(std::filesystem::path path, std::size_t width) : path_(std::move(path)), width_(width) {}
  Result<void> scan();
  static Key key_of(std::span<const Token> text);

  std::filesystem::path path_;
  std::size_t width_;
  int file_ = -1;
  std::map<Key, std::uint64_t> places_;  // of the headers
};

}  // namespace awry::inspectors::networks
