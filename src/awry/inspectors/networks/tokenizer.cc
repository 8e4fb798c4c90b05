// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/base/text.h"
#include "awry/inspectors/networks/characters.h"
#include "awry/inspectors/networks/small_json.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

// Models with relative positions can read texts of any length, and attention grows with its square.
constexpr std::size_t kLongestText = 2048;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

tl::unexpected<Error> missing(const fs::path& folder, std::string_view files) {
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot find the tokenizer of model",
               .input = folder.string(),
               .why = fmt::format("there is no {}", files),
               .hint = "Download it into this folder."});
}

// tokenizer_config.json, which not every model has.
struct TokenizerConfig {
  std::optional<bool> lower_case, strip_accents, split_chinese;
  std::optional<std::size_t> max_tokens;
};

Result<TokenizerConfig> read_tokenizer_config(const fs::path& path) {
  TokenizerConfig config;
  if (!is_file(path)) return config;
  AWRY_TRY_ASSIGN(const Json json, read_small_json(path));
  if (!json.is_object()) {
    return fail(
        {.what = "cannot read tokenizer file", .input = path.string(), .why = "it is no JSON object"});
  }
  const auto flag = [&](const char* name) -> std::optional<bool> {
    const auto found = json.find(name);
    return found != json.end() && found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
  };
  config.lower_case = flag("do_lower_case");
  config.strip_accents = flag("strip_accents");
  config.split_chinese = flag("tokenize_chinese_chars");
  // "No limit" is written as 1e30.
  if (const auto found = json.find("model_max_length"); found != json.end() && found->is_number()) {
    const double length = found->get<double>();
    if (length >= 3 && length < 1e6) config.max_tokens = static_cast<std::size_t>(length);
  }
  return config;
}

// The special tokens of a family by name; all but the mask are needed.
Result<void> name_specials(const Vocabulary& vocabulary, std::string_view first, std::string_view last,
                           std::initializer_list<std::string_view> names, const fs::path& path,
                           Tokenizer& tokenizer) {
  for (const std::string_view name : names) {
    const auto token = find_token(vocabulary, name);
    if (token) {
      tokenizer.named.emplace_back(name, *token);
    } else if (name == first || name == last) {
      return fail({.what = "cannot read tokenizer file",
                   .input = path.string(),
                   .why = fmt::format("the piece '{}' is missing", name)});
    }
  }
  tokenizer.first = find_token(vocabulary, first);
  tokenizer.last = *find_token(vocabulary, last);
  return {};
}

Result<std::unique_ptr<Tokenizer>> read_word_piece(const fs::path& folder, const ModelConfig& config,
                                                   const TokenizerConfig& settings) {
  TokenizerFile file;
  fs::path path = folder / "vocab.txt";
  if (is_file(path)) {
    AWRY_TRY_ASSIGN(file.vocabulary, read_vocab_txt(path));
  } else if (path = folder / "tokenizer.json"; is_file(path)) {
    AWRY_TRY_ASSIGN(file, read_tokenizer_json(path));
    if (file.kind != "WordPiece") {
      return fail({.kind = ErrorKind::kUnsupported,
                   .what = "cannot use tokenizer file",
                   .input = path.string(),
                   .why = fmt::format("it is of kind '{}', but the model wants WordPiece", file.kind)});
    }
  } else {
    return missing(folder, "vocab.txt or tokenizer.json");
  }
  AWRY_TRY(check_vocabulary(file.vocabulary, config.shape.vocabulary, path));
  WordPieceRules rules;
  rules.lower_case = settings.lower_case.value_or(file.lower_case.value_or(true));
  rules.split_chinese = settings.split_chinese.value_or(file.split_chinese.value_or(true));
  rules.strip_accents = settings.strip_accents ? settings.strip_accents : file.strip_accents;
  const auto unknown = find_token(file.vocabulary, "[UNK]");
  if (!unknown) {
    return fail({.what = "cannot read tokenizer file",
                 .input = path.string(),
                 .why = "the piece '[UNK]' is missing"});
  }
  rules.unknown = *unknown;
  auto tokenizer = make_word_piece(file.vocabulary, rules);
  AWRY_TRY(name_specials(file.vocabulary, "[CLS]", "[SEP]", {"[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"},
                         path, *tokenizer));
  return tokenizer;
}

Result<std::unique_ptr<Tokenizer>> read_byte_pair(const fs::path& folder, const ModelConfig& config) {
  TokenizerFile file;
  fs::path path = folder / "vocab.json";
  if (is_file(path) && is_file(folder / "merges.txt")) {
    AWRY_TRY_ASSIGN(file.vocabulary, read_vocab_json(path));
    AWRY_TRY_ASSIGN(file.merges, read_merges_txt(folder / "merges.txt"));
    AWRY_TRY(check_merges(file.vocabulary, file.merges, folder / "merges.txt"));
  } else if (path = folder / "tokenizer.json"; is_file(path)) {
    AWRY_TRY_ASSIGN(file, read_tokenizer_json(path));
    if (file.kind != "BPE") {
      return fail({.kind = ErrorKind::kUnsupported,
                   .what = "cannot use tokenizer file",
                   .input = path.string(),
                   .why = fmt::format("it is of kind '{}', but the model wants BPE", file.kind)});
    }
  } else {
    return missing(folder, "pair of vocab.json and merges.txt, nor tokenizer.json");
  }
  AWRY_TRY(check_vocabulary(file.vocabulary, config.shape.vocabulary, path));
  const Token unknown = find_token(file.vocabulary, "<unk>").value_or(0);
  auto tokenizer = make_byte_pair(file.vocabulary, file.merges, unknown);
  AWRY_TRY(name_specials(file.vocabulary, "<s>", "</s>", {"<s>", "</s>", "<unk>", "<pad>", "<mask>"}, path,
                         *tokenizer));
  return tokenizer;
}

Result<std::unique_ptr<Tokenizer>> read_kind(const fs::path& folder, const ModelConfig& config,
                                             const TokenizerConfig& settings) {
  switch (config.shape.family) {
    case Family::kBert:
    case Family::kDistilBert:
      return read_word_piece(folder, config, settings);
    case Family::kRoberta:
      if (config.family_name == "roberta") return read_byte_pair(folder, config);
      return fail({.kind = ErrorKind::kUnsupported,
                   .what = "cannot use model",
                   .input = folder.string(),
                   .why = fmt::format("awry has no tokenizer for '{}'", config.family_name)});
    case Family::kT5:
      if (!is_file(folder / "spiece.model")) return missing(folder, "spiece.model");
      return read_sentence_piece(folder / "spiece.model", config.shape.vocabulary);
  }
  return missing(folder, "tokenizer for this family");
}

}  // namespace

const std::pair<std::string, Token>* Tokenizer::named_at(std::string_view text) const {
  for (const auto& entry : named) {
    if (text.starts_with(entry.first)) return &entry;
  }
  return nullptr;
}

TokenizedText Tokenizer::encode(std::string_view text) const {
  const std::string valid = repair_utf8(text);
  std::string_view rest = python_strip(valid);
  TokenizedText result;
  if (first) result.tokens.push_back(*first);
  const std::size_t before = result.tokens.size();
  // Once it is too long, what follows is cut off anyway.
  for (bool begins = true; !rest.empty() && result.tokens.size() <= max_tokens; begins = false) {
    std::size_t at = 0;
    const std::pair<std::string, Token>* next = nullptr;
    for (; at < rest.size() && next == nullptr; ++at) next = named_at(rest.substr(at));
    if (next != nullptr) --at;
    if (at > 0) append_tokens(rest.substr(0, at), begins, result.tokens);
    if (next != nullptr) result.tokens.push_back(next->second);
    rest.remove_prefix(at + (next == nullptr ? 0 : next->first.size()));
  }
  result.empty = result.tokens.size() == before;
  if (result.tokens.size() + 1 > max_tokens) {
    result.tokens.resize(max_tokens - 1);
    result.cut = true;
  }
  result.tokens.push_back(last);
  return result;
}

Result<std::unique_ptr<Tokenizer>> read_tokenizer(const fs::path& folder, const ModelConfig& config) {
  AWRY_TRY_ASSIGN(const TokenizerConfig settings, read_tokenizer_config(folder / "tokenizer_config.json"));
  AWRY_TRY_ASSIGN(std::unique_ptr<Tokenizer> tokenizer, read_kind(folder, config, settings));
  // RoBERTa's position table begins behind its padding token.
  const EncoderShape& shape = config.shape;
  const std::int64_t unused = shape.family == Family::kRoberta ? shape.padding_token + 1 : 0;
  const auto room = static_cast<std::size_t>(std::max<std::int64_t>(shape.positions - unused, 0));
  const std::size_t limit = shape.positions > 0 ? room : kLongestText;
  tokenizer->max_tokens = std::min(settings.max_tokens.value_or(limit), limit);
  if (tokenizer->max_tokens < 3) {
    return fail({.what = "cannot use model",
                 .input = folder.string(),
                 .why = "its position table has no room for a text"});
  }
  return tokenizer;
}

std::vector<fs::path> tokenizer_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const char* const name :
       {"vocab.txt", "vocab.json", "merges.txt", "tokenizer.json", "spiece.model", "tokenizer_config.json"}) {
    if (is_file(folder / name)) files.push_back(folder / name);
  }
  return files;
}

}  // namespace awry::inspectors::networks
