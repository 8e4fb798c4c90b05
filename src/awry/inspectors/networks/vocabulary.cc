// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/vocabulary.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <unordered_set>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

constexpr std::uint64_t kMaxBytes = 256ULL << 20;
constexpr std::int64_t kMostPadding = 128;  // models round their number of tokens up to multiples of this
constexpr std::size_t kMostAdded = 16;      // <mask> and its kind are no letters and come from no merge

tl::unexpected<Error> refuse(const fs::path& path, std::string why) {
  return fail({.what = "cannot read tokenizer file",
               .input = path.string(),
               .why = std::move(why),
               .hint = "Download the file again."});
}

Result<Vocabulary> vocabulary_of(const dom::object& object, const fs::path& path) {
  Vocabulary vocabulary;
  vocabulary.reserve(object.size());
  for (const auto& [piece, value] : object) {
    std::int64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS || number < 0 || number > INT32_MAX) {
      return refuse(path, fmt::format("the number of piece '{}' is not one", piece));
    }
    if (!vocabulary.emplace(piece, static_cast<Token>(number)).second) {
      return refuse(path, fmt::format("piece '{}' is there twice", piece));
    }
  }
  if (vocabulary.empty()) return refuse(path, "it lists no pieces");
  return vocabulary;
}

Result<std::pair<std::string, std::string>> merge_of(std::string_view line, const fs::path& path) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 == line.size() ||
      line.find(' ', space + 1) != std::string_view::npos) {
    return refuse(path, fmt::format("'{}' is not a pair of pieces", shorten(line, 60)));
  }
  return std::pair(std::string(line.substr(0, space)), std::string(line.substr(space + 1)));
}

// Older files write a merge as "a b", newer ones as ["a", "b"].
Result<Merges> merges_of(const dom::array& array, const fs::path& path) {
  Merges merges;
  for (const dom::element& element : array) {
    std::string_view line, left, right;
    dom::array pair;
    if (element.get(line) == simdjson::SUCCESS) {
      AWRY_TRY_ASSIGN(auto merge, merge_of(line, path));
      merges.push_back(std::move(merge));
    } else if (element.get(pair) == simdjson::SUCCESS && pair.size() == 2 &&
               pair.at(0).get(left) == simdjson::SUCCESS && pair.at(1).get(right) == simdjson::SUCCESS) {
      merges.emplace_back(left, right);
    } else {
      return refuse(path, "a merge is not a pair of pieces");
    }
  }
  return merges;
}

std::optional<bool> flag_of(const dom::element& element, std::string_view name) {
  bool flag = false;
  return element[name].get(flag) == simdjson::SUCCESS ? std::optional(flag) : std::nullopt;
}

// Normalizers may be wrapped in a sequence.
void read_normalizer(const dom::element& normalizer, TokenizerFile& file) {
  std::string_view type;
  if (normalizer["type"].get(type) != simdjson::SUCCESS) return;
  dom::array parts;
  if (type == "Sequence" && normalizer["normalizers"].get(parts) == simdjson::SUCCESS) {
    for (const dom::element& part : parts) {
      std::string_view inner;
      if (part["type"].get(inner) == simdjson::SUCCESS && inner != "Sequence") read_normalizer(part, file);
    }
  } else if (type == "BertNormalizer") {
    file.lower_case = flag_of(normalizer, "lowercase");
    file.strip_accents = flag_of(normalizer, "strip_accents");
    file.split_chinese = flag_of(normalizer, "handle_chinese_chars");
  }
}

Result<dom::element> parse(dom::parser& parser, const fs::path& path, std::string& text) {
  AWRY_TRY_ASSIGN(text, read_file(path, kMaxBytes));
  dom::element root;
  if (const auto error = parser.parse(text).get(root); error != simdjson::SUCCESS) {
    return refuse(path, fmt::format("it is no valid JSON: {}", simdjson::error_message(error)));
  }
  return root;
}

}  // namespace

std::optional<Token> find_token(const Vocabulary& vocabulary, std::string_view piece) {
  const auto found = vocabulary.find(piece);
  return found == vocabulary.end() ? std::nullopt : std::optional(found->second);
}

Result<Vocabulary> read_vocab_txt(const fs::path& path) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(path, kMaxBytes));
  if (!is_valid_utf8(text)) return refuse(path, "it is not UTF-8");
  if (text.find('\0') != std::string::npos) return refuse(path, "it holds zero bytes, which no piece has");
  Vocabulary vocabulary;
  std::vector<std::string_view> lines = split_lines(text);
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  vocabulary.reserve(lines.size());
  // A piece that is there twice has the later number, as in the reference.
  for (std::size_t i = 0; i < lines.size(); ++i) {
    vocabulary.insert_or_assign(std::string(lines[i]), static_cast<Token>(i));
  }
  if (vocabulary.empty()) return refuse(path, "it lists no pieces");
  return vocabulary;
}

Result<Vocabulary> read_vocab_json(const fs::path& path) {
  dom::parser parser;
  std::string text;
  AWRY_TRY_ASSIGN(const dom::element root, parse(parser, path, text));
  dom::object object;
  if (root.get(object) != simdjson::SUCCESS) return refuse(path, "it is no JSON object");
  return vocabulary_of(object, path);
}

Result<Merges> read_merges_txt(const fs::path& path) {
  AWRY_TRY_ASSIGN(const std::string text, read_file(path, kMaxBytes));
  if (!is_valid_utf8(text)) return refuse(path, "it is not UTF-8");
  Merges merges;
  for (const std::string_view line : split_lines(text)) {
    if (line.empty() || line.starts_with("#version")) continue;
    AWRY_TRY_ASSIGN(auto merge, merge_of(line, path));
    merges.push_back(std::move(merge));
  }
  return merges;
}

Result<TokenizerFile> read_tokenizer_json(const fs::path& path) {
  dom::parser parser;
  std::string text;
  AWRY_TRY_ASSIGN(const dom::element root, parse(parser, path, text));
  TokenizerFile file;
  std::string_view kind;
  dom::element model, normalizer;
  if (root["model"].get(model) != simdjson::SUCCESS) return refuse(path, "it has no 'model'");
  dom::object vocabulary;
  if (model["vocab"].get(vocabulary) == simdjson::SUCCESS) {
    AWRY_TRY_ASSIGN(file.vocabulary, vocabulary_of(vocabulary, path));
  }
  dom::array merges;
  if (model["merges"].get(merges) == simdjson::SUCCESS) {
    AWRY_TRY_ASSIGN(file.merges, merges_of(merges, path));
  }
  // Files of 2020 do not name the kind.
  if (model["type"].get(kind) == simdjson::SUCCESS) {
    file.kind = kind;
  } else {
    file.kind = file.merges.empty() ? "WordPiece" : "BPE";
  }
  if (root["normalizer"].get(normalizer) == simdjson::SUCCESS) read_normalizer(normalizer, file);
  return file;
}

Result<void> check_vocabulary(const Vocabulary& vocabulary, std::int64_t rows, const fs::path& path) {
  for (const auto& [piece, token] : vocabulary) {
    if (token >= rows) {
      return refuse(path, fmt::format("piece '{}' has the number {}, but the model knows {} tokens", piece,
                                      token, rows));
    }
  }
  if (rows - static_cast<std::int64_t>(vocabulary.size()) > std::min(kMostPadding, rows / 10)) {
    return refuse(path, fmt::format("it lists {} pieces, but the model knows {} tokens: it may be cut off",
                                    vocabulary.size(), rows));
  }
  return {};
}

Result<void> check_merges(const Vocabulary& vocabulary, const Merges& merges, const fs::path& path) {
  std::unordered_set<std::string> made;
  made.reserve(merges.size());
  for (const auto& [left, right] : merges) made.insert(left + right);
  const auto is_letter = [](const std::string& piece) { return decode_utf8(piece).size() <= 1; };
  const auto orphans = static_cast<std::size_t>(std::ranges::count_if(
      vocabulary, [&](const auto& entry) { return !is_letter(entry.first) && !made.contains(entry.first); }));
  if (orphans > kMostAdded + vocabulary.size() / 100) {
    return refuse(path,
                  fmt::format("{} of the {} pieces of the vocabulary are made by none of its merges: it "
                              "may be cut off",
                              orphans, vocabulary.size()));
  }
  return {};
}

}  // namespace awry::inspectors::networks
