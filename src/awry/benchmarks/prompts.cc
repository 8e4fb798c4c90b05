// SPDX-License-Identifier: Apache-2.0
#include "awry/benchmarks/prompts.h"

#include <fmt/format.h>

#include <array>

#include "awry/base/hash.h"
#include "awry/benchmarks/embedded_files.h"

namespace awry::benchmarks {
namespace {

constexpr std::array<std::string_view, 4> kAnomReason = {"anomalies.txt", "deepfake.txt",
                                                         "deepfake.anomalies.txt", "deepfake.both.txt"};
constexpr std::array<std::string_view, 17> kCave = {
    "ad.txt",          "ad.cot.txt",   "ad.multi-step.txt", "ad.plan.txt", "ad.contents.txt",
    "ad.conclude.txt", "ad.merge.txt", "ad.judge.txt",      "ae.txt",      "ae.judge.txt",
    "aj.txt",          "al.txt",       "category.txt",      "culture.txt", "complexity.txt",
    "severity.txt",    "surprisal.txt"};
constexpr std::array<std::string_view, 3> kMagicMirror = {"assess.txt", "consistency.judge.txt",
                                                          "subject.txt"};
constexpr std::array<std::string_view, 9> kThemis = {
    "smf_il.txt", "smf_il.reasoning.txt", "smf_il.examples.txt",
    "cmo_i.txt",  "cmo_i.reasoning.txt",  "cmo_i.examples.txt",
    "cmi_il.txt", "cmi_il.reasoning.txt", "cmi_il.examples.txt"};

struct Shelf {
  std::string_view protocol, folder;
  std::span<const std::string_view> names;
};
constexpr std::array kShelves = {
    Shelf{"anomreason", "anomreason", kAnomReason},
    Shelf{"cave", "cave", kCave},
    Shelf{"magicmirror", "magicmirror", kMagicMirror},
    Shelf{"magicbench", "magicmirror", kMagicMirror},
    Shelf{"themis", "themis", kThemis},
};

const Shelf* shelf_of(std::string_view protocol) {
  for (const Shelf& shelf : kShelves) {
    if (shelf.protocol == protocol) return &shelf;
  }
  return nullptr;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Shelf& shelf : kShelves) names.insert(names.end(), shelf.names.begin(), shelf.names.end());
  return names;
}

}  // namespace

Result<Prompts> Prompts::open(std::string_view folder, const std::string& own) {
  if (!own.empty()) AWRY_TRY(check_prompt_names(own, all_names()));
  return Prompts(folder, own);
}

Result<FoundPrompt> Prompts::find(const std::string& name) const {
  return find_prompt(own_, name, embedded_file(fmt::format("{}/prompts/{}", folder_, name)));
}

Result<std::string> Prompts::text(const std::string& name) const {
  AWRY_TRY_ASSIGN(FoundPrompt prompt, find(name));
  return std::move(prompt.text);
}

Result<std::string> Prompts::fill(const std::string& name, const Gaps& gaps,
                                  std::initializer_list<std::string_view> needed) const {
  AWRY_TRY_ASSIGN(const FoundPrompt prompt, find(name));
  std::vector<std::string_view> known, wanted;
  for (const auto& [gap, value] : gaps) known.push_back(gap);
  for (const std::string_view gap : needed) {
    const auto value = gaps.find(gap);
    if (value != gaps.end() && !value->second.empty()) wanted.push_back(gap);
  }
  AWRY_TRY(check_gaps(prompt, known, wanted));
  return fill_gaps(prompt.text, gaps);
}

std::span<const std::string_view> prompt_names(std::string_view protocol) {
  const Shelf* shelf = shelf_of(protocol);
  return shelf == nullptr ? std::span<const std::string_view>() : shelf->names;
}

Result<std::string> prompts_hash(const Protocol& protocol, const ProtocolOptions& options) {
  const Shelf* shelf = shelf_of(protocol.name);
  if (shelf == nullptr) return std::string();
  const auto own = options.find("prompts");
  AWRY_TRY_ASSIGN(const Prompts prompts,
                  Prompts::open(shelf->folder, own == options.end() ? std::string() : own->second));
  FieldHasher hasher;
  for (const std::string_view name : shelf->names) {
    AWRY_TRY_ASSIGN(const std::string text, prompts.text(std::string(name)));
    hasher.add(name).add(text);
  }
  return hasher.hex();
}

}  // namespace awry::benchmarks
