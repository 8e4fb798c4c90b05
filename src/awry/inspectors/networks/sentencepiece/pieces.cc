// SPDX-License-Identifier: Apache-2.0
// The only source that sees libsentencepiece (piece_module.h says why).
#include <sentencepiece_processor.h>

#include <exception>

#include "awry/inspectors/networks/piece_module.h"

namespace awry::inspectors::networks {
namespace {

class SentencePieces final : public PieceModel {
 public:
  sentencepiece::SentencePieceProcessor processor;

  std::string split(std::string_view text, std::vector<std::int32_t>& tokens) const noexcept override {
    try {
      std::vector<int> ids;
      if (const auto status = processor.Encode(text, &ids); !status.ok()) return status.ToString();
      tokens.insert(tokens.end(), ids.begin(), ids.end());
      return {};
    } catch (const std::exception& error) {
      return error.what();
    }
  }
  std::int32_t size() const noexcept override { return processor.GetPieceSize(); }
  std::int32_t find(std::string_view piece) const noexcept override {
    const int id = processor.PieceToId(piece);
    return id >= 0 && id < size() && processor.IdToPiece(id) == piece ? id : -1;
  }
};

std::unique_ptr<PieceModel> make_pieces(std::string_view bytes, std::string& error) {
  try {
    auto pieces = std::make_unique<SentencePieces>();
    const auto status = pieces->processor.LoadFromSerializedProto(bytes);
    if (status.ok()) return pieces;
    error = status.ToString();
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  return nullptr;
}

}  // namespace
}  // namespace awry::inspectors::networks

extern "C" __attribute__((visibility("default"))) const awry::inspectors::networks::PieceInterface*
awry_sentencepiece_module() {
  using namespace awry::inspectors::networks;
  static const PieceInterface kInterface = {.version = kPieceVersion, .make_pieces = make_pieces};
  return &kInterface;
}
