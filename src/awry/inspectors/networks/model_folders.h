// SPDX-License-Identifier: Apache-2.0
// Where models lie on this machine: folders that awry fetched, and the caches of Hugging Face's own tools.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/result.h"

namespace awry::inspectors::networks {

// A model that BERTScore is used with, and the files it needs.
struct KnownModel {
  std::string_view name;  // "google/mt5-large"
  std::span<const std::string_view> files;
  std::string_view purpose;
};
std::span<const KnownModel> known_models();
const KnownModel* find_known_model(std::string_view name);  // with or without the owner

// The value of an environment variable, or nothing.
using Variables = std::function<std::optional<std::string>(std::string_view)>;

struct ModelPlaces {
  std::filesystem::path own;                // ~/.cache/awry/models: a folder per model, "google--mt5-large"
  std::vector<std::filesystem::path> hubs;  // .../hub: models--OWNER--NAME/snapshots/REVISION
};
// AWRY_MODELS; HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME, HOME.
ModelPlaces model_places(const Variables& variables);

struct FoundModel {
  std::string name;  // "google/mt5-large"
  std::filesystem::path folder;
};
std::vector<FoundModel> list_models(const ModelPlaces& places);

// The folder that `wanted` names: a folder with a config.json, or a model of one of the places; "" is
// distilbert-base-uncased. What is missing is an error that says which files to get and where to put them.
Result<std::filesystem::path> find_model(std::string_view wanted, const ModelPlaces& places);

// Where find_model() would look for it first.
std::filesystem::path own_folder(std::string_view name, const ModelPlaces& places);

}  // namespace awry::inspectors::networks
