// SPDX-License-Identifier: Apache-2.0
// The wall between awry and libsentencepiece, like encoder_module.h for libtorch.
//
// Both libraries bring a protobuf of their own, and in one program the second to arrive crashes on the first
// one's. Opened as modules that show their names to nobody, they never meet.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace awry::inspectors::networks {

class PieceModel {
 public:
  virtual ~PieceModel() = default;

  // Appends the numbers of the text's pieces. Returns what went wrong, or "".
  virtual std::string split(std::string_view text, std::vector<std::int32_t>& tokens) const noexcept = 0;
  virtual std::int32_t size() const noexcept = 0;
  virtual std::int32_t find(std::string_view piece) const noexcept = 0;  // -1: there is none
};

struct PieceInterface {
  std::uint32_t version = 0;
  std::unique_ptr<PieceModel> (*make_pieces)(std::string_view bytes, std::string& error) = nullptr;
};

inline constexpr std::uint32_t kPieceVersion = 1;
inline constexpr const char* kPieceEntry = "awry_sentencepiece_module";

}  // namespace awry::inspectors::networks
