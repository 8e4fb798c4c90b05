// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/model_folders.h"

#include <fmt/format.h>

#include <algorithm>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHubPrefix = "models--";
constexpr std::string_view kDistilBertFiles[] = {"config.json", "tokenizer_config.json", "vocab.txt",
                                                 "model.safetensors"};
constexpr std::string_view kRobertaFiles[] = {"config.json", "tokenizer_config.json", "vocab.json",
                                              "merges.txt", "model.safetensors"};
constexpr std::string_view kMt5Files[] = {"config.json", "tokenizer_config.json", "spiece.model",
                                          "pytorch_model.bin"};
constexpr KnownModel kKnown[] = {
    {"distilbert-base-uncased", kDistilBertFiles, "SemAP and SemF1 of the papers"},
    {"roberta-large-mnli", kRobertaFiles, "their first check"},
    {"google/mt5-large", kMt5Files, "their second check"},
    {"roberta-large", kRobertaFiles, "BERTScore's default for English"},
    {"bert-base-uncased", kDistilBertFiles, "a classic"}};

std::string_view plain_name(std::string_view name) {
  return name.substr(name.rfind('/') + 1);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}
bool is_model(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "config.json", ignored);
}

std::vector<fs::path> folders_in(const fs::path& path) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    if (is_folder(at->path())) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// The revision that "main" stands for, else the only one there is.
std::optional<fs::path> snapshot_in(const fs::path& repository) {
  if (const auto revision = read_file(repository / "refs" / "main", 4096)) {
    const fs::path folder = repository / "snapshots" / fs::path(std::string(trim(*revision))).filename();
    if (is_model(folder)) return folder;
  }
  const std::vector<fs::path> all = folders_in(repository / "snapshots");
  if (all.size() == 1 && is_model(all.front())) return all.front();
  return std::nullopt;
}

}  // namespace

std::span<const KnownModel> known_models() {
  return kKnown;
}

const KnownModel* find_known_model(std::string_view name) {
  for (const KnownModel& known : kKnown) {
    if (known.name == name || plain_name(known.name) == plain_name(name)) return &known;
  }
  return nullptr;
}

ModelPlaces model_places(const Variables& variables) {
  const auto path_in = [&](std::string_view name) { return fs::path(variables(name).value_or("")); };
  ModelPlaces places;
  fs::path cache = path_in("XDG_CACHE_HOME");
  if (cache.empty() && !path_in("HOME").empty()) cache = path_in("HOME") / ".cache";
  places.own = path_in("AWRY_MODELS");
  if (places.own.empty() && !cache.empty()) places.own = cache / "awry" / "models";
  const auto add = [&](const fs::path& hub) {
    if (!hub.empty() && std::ranges::find(places.hubs, hub) == places.hubs.end()) places.hubs.push_back(hub);
  };
  add(path_in("HF_HUB_CACHE"));
  if (const fs::path home = path_in("HF_HOME"); !home.empty()) add(home / "hub");
  if (!cache.empty()) add(cache / "huggingface" / "hub");
  return places;
}

std::vector<FoundModel> list_models(const ModelPlaces& places) {
  std::vector<FoundModel> found;
  if (!places.own.empty()) {
    for (const fs::path& folder : folders_in(places.own)) {
      if (is_model(folder)) found.push_back({replace_all(folder.filename().string(), "--", "/"), folder});
    }
  }
  for (const fs::path& hub : places.hubs) {
    for (const fs::path& repository : folders_in(hub)) {
      const std::string name = repository.filename().string();
      if (!name.starts_with(kHubPrefix)) continue;
      if (const auto folder = snapshot_in(repository)) {
        found.push_back({replace_all(name.substr(kHubPrefix.size()), "--", "/"), *folder});
      }
    }
  }
  return found;
}

fs::path own_folder(std::string_view name, const ModelPlaces& places) {
  return places.own / replace_all(name, "/", "--");
}

Result<fs::path> find_model(std::string_view wanted, const ModelPlaces& places) {
  if (wanted.empty()) wanted = kKnown[0].name;
  if (is_model(wanted)) return fs::path(wanted);
  if (is_folder(wanted)) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot find a model in",
                 .input = std::string(wanted),
                 .why = "there is no config.json",
                 .hint = "The folder needs config.json, the tokenizer's files and the weights."});
  }
  const std::vector<FoundModel> found = list_models(places);
  for (const FoundModel& model : found) {
    if (model.name == wanted) return model.folder;
  }
  for (const FoundModel& model : found) {
    if (wanted.find('/') == std::string_view::npos && plain_name(model.name) == wanted) return model.folder;
  }
  Error error{.kind = ErrorKind::kNotFound,
              .what = "cannot find model",
              .input = std::string(wanted),
              .why = "it is neither a folder nor in the model caches"};
  if (const KnownModel* const known = find_known_model(wanted)) {
    error.hint = fmt::format("Put {} of huggingface.co/{} into {}, or run 'awry models fetch {}'.",
                             fmt::join(known->files, ", "), known->name,
                             own_folder(known->name, places).string(), known->name);
  } else {
    error.hint = "Give the folder with its config.json; 'awry models' lists what was found.";
  }
  return fail(std::move(error));
}

}  // namespace awry::inspectors::networks
