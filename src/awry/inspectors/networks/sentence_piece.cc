// SPDX-License-Identifier: Apache-2.0
// T5's tokenizer, through the library it was made with.
#include <fmt/format.h>

#include "awry/base/files.h"
#include "awry/inspectors/networks/characters.h"
#include "awry/inspectors/networks/load_module.h"
#include "awry/inspectors/networks/tokenizer.h"

namespace awry::inspectors::networks {
namespace {

class SentencePiece final : public Tokenizer {
 public:
  explicit SentencePiece(std::unique_ptr<PieceModel> pieces) : pieces_(std::move(pieces)) {}

 private:
  // Named tokens take the blanks around them along.
  void append_tokens(std::string_view text, bool /*begins*/, std::vector<Token>& tokens) const override {
    pieces_->split(python_strip(text), tokens);
  }

  std::unique_ptr<PieceModel> pieces_;
};

}  // namespace

Result<std::unique_ptr<Tokenizer>> read_sentence_piece(const std::filesystem::path& path, std::int64_t rows) {
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot read tokenizer file",
                 .input = path.string(),
                 .why = std::move(why),
                 .hint = "Download the file again."});
  };
  AWRY_TRY_ASSIGN(const std::string bytes, read_file(path, 256ULL << 20));
  AWRY_TRY_ASSIGN(const PieceInterface* const module, load_sentencepiece());
  std::string error;
  std::unique_ptr<PieceModel> pieces = module->make_pieces(bytes, error);
  if (pieces == nullptr) return refuse(fmt::format("it is no SentencePiece model: {}", error));
  if (pieces->size() > rows) {
    return refuse(fmt::format("it has {} pieces, but the model knows {} tokens", pieces->size(), rows));
  }
  const Token end = pieces->find("</s>");
  if (end < 0) return refuse("it has no piece '</s>'");
  std::vector<std::pair<std::string, Token>> named;
  for (const char* const name : {"</s>", "<unk>", "<pad>"}) {
    if (const Token token = pieces->find(name); token >= 0) named.emplace_back(name, token);
  }
  auto tokenizer = std::make_unique<SentencePiece>(std::move(pieces));
  tokenizer->last = end;
  tokenizer->frame_is_silent = false;
  tokenizer->named = std::move(named);
  return tokenizer;
}

}  // namespace awry::inspectors::networks
