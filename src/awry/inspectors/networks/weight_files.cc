// SPDX-License-Identifier: Apache-2.0
// Which files hold the weights, and all of their tensors in one list.
#include <fmt/format.h>

#include <set>

#include "awry/inspectors/networks/small_json.h"
#include "awry/inspectors/networks/weights.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWhole[] = {"model.safetensors", "pytorch_model.bin"};

// The parts that an index lists. Their names come from a file somebody else wrote: no folders, no "..".
Result<std::vector<fs::path>> parts_of(const fs::path& index) {
  const auto refuse = [&](std::string why) {
    return fail({.what = "cannot read index of weights", .input = index.string(), .why = std::move(why)});
  };
  AWRY_TRY_ASSIGN(const Json json, read_small_json(index));
  if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object()) {
    return refuse("it has no 'weight_map'");
  }
  std::set<std::string> names;
  for (const Json& name : json["weight_map"]) {
    if (!name.is_string()) return refuse("a tensor's file is not a name");
    const auto& text = name.get_ref<const std::string&>();
    if (text.empty() || text == "." || text == ".." || text.find('/') != std::string::npos ||
        text.find('\0') != std::string::npos) {
      return refuse("a tensor's file is not a plain name in the same folder");
    }
    names.insert(text);
  }
  if (names.empty()) return refuse("it lists no files");
  if (names.size() > 1024) return refuse("it lists more than 1,024 files");
  std::vector<fs::path> parts;
  for (const std::string& name : names) {
    std::error_code ignored;
    if (!fs::is_regular_file(index.parent_path() / name, ignored)) {
      return fail({.kind = ErrorKind::kNotFound,
                   .what = "cannot read weights",
                   .input = (index.parent_path() / name).string(),
                   .why = fmt::format("{} lists it, but it is not there", index.filename().string()),
                   .hint = "Download it into the same folder."});
    }
    parts.push_back(index.parent_path() / name);
  }
  return parts;
}

}  // namespace

Result<std::vector<fs::path>> find_weight_files(const fs::path& folder) {
  std::error_code ignored;
  for (const std::string_view name : kWhole) {
    if (fs::is_regular_file(folder / name, ignored)) return std::vector{folder / name};
    const fs::path index = folder / fmt::format("{}.index.json", name);
    if (fs::is_regular_file(index, ignored)) return parts_of(index);
  }
  return fail({.kind = ErrorKind::kNotFound,
               .what = "cannot find the weights of model",
               .input = folder.string(),
               .why = "there is neither model.safetensors nor pytorch_model.bin, nor an index of their parts",
               .hint = "Download model.safetensors into this folder."});
}

Result<WeightFiles> open_weight_files(const fs::path& folder) {
  WeightFiles weights;
  AWRY_TRY_ASSIGN(weights.paths, find_weight_files(folder));
  for (const fs::path& path : weights.paths) {
    AWRY_TRY_ASSIGN(MappedFile file, MappedFile::open(path));
    AWRY_TRY_ASSIGN(TensorList tensors, path.extension() == ".safetensors"
                                            ? read_safetensors(file.bytes(), path.string())
                                            : read_torch_file(file.bytes(), path.string()));
    for (auto& [name, tensor] : tensors) {
      if (!weights.tensors.emplace(name, std::move(tensor)).second) {
        return fail({.what = "cannot read weights",
                     .input = path.string(),
                     .why = fmt::format("tensor '{}' is in another part as well", name)});
      }
    }
    weights.files.push_back(std::move(file));
  }
  return weights;
}

}  // namespace awry::inspectors::networks
