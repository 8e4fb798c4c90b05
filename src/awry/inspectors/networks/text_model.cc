// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/text_model.h"

#include <fmt/format.h>

#include "awry/base/hash.h"
#include "awry/base/text.h"
#include "awry/inspectors/networks/load_module.h"

namespace awry::inspectors::networks {
namespace {

namespace fs = std::filesystem;

struct UsualLayer {
  std::string_view name;
  std::int64_t layer;
};
// From the reference package's table, of the families that awry reads.
constexpr UsualLayer kUsualLayers[] = {{"distilbert-base-uncased", 5},
                                       {"distilbert-base-uncased-distilled-squad", 4},
                                       {"distilbert-base-multilingual-cased", 5},
                                       {"distilbert-base-turkish-cased", 4},
                                       {"bert-base-uncased", 9},
                                       {"bert-large-uncased", 18},
                                       {"bert-base-multilingual-cased", 9},
                                       {"bert-base-chinese", 8},
                                       {"distilroberta-base", 5},
                                       {"roberta-base", 10},
                                       {"roberta-large", 17},
                                       {"roberta-large-mnli", 19},
                                       {"t5-small", 6},
                                       {"t5-base", 11},
                                       {"t5-large", 23},
                                       {"mt5-small", 8},
                                       {"mt5-base", 11},
                                       {"mt5-large", 19},
                                       {"mt5-xl", 24}};

}  // namespace

std::optional<std::int64_t> usual_layer(std::string_view model_name, const EncoderShape& shape) {
  const std::string_view plain = model_name.substr(model_name.rfind('/') + 1);
  for (const UsualLayer& known : kUsualLayers) {
    if (known.name == plain && known.layer <= shape.layers) return known.layer;
  }
  if (shape.family == Family::kDistilBert && shape.layers == 6) return 5;
  return std::nullopt;
}

std::string model_name_of(const fs::path& folder) {
  const fs::path full = fs::absolute(folder).lexically_normal();
  for (const fs::path& part : full) {
    constexpr std::string_view kHub = "models--";
    if (part.string().starts_with(kHub)) return replace_all(part.string().substr(kHub.size()), "--", "/");
  }
  return (full.has_filename() ? full : full.parent_path()).filename().string();
}

Result<std::string> hash_model(const fs::path& folder) {
  FieldHasher hasher;
  AWRY_TRY_ASSIGN(std::vector<fs::path> files, find_weight_files(folder));
  for (const fs::path& file : tokenizer_files(folder)) files.push_back(file);
  files.push_back(folder / "config.json");
  for (const fs::path& file : files) {
    AWRY_TRY_ASSIGN(const std::string hash, sha256_hex_of_file(file));
    hasher.add(file.filename().string()).add(hash);
  }
  return hasher.hex();
}

Result<std::unique_ptr<TextModel>> TextModel::open(const fs::path& folder, const TextModelOptions& options) {
  auto model = std::unique_ptr<TextModel>(new TextModel());
  model->options_ = options;
  model->name_ = model_name_of(folder);
  AWRY_TRY_ASSIGN(model->config_, read_model_config(folder / "config.json"));
  AWRY_TRY_ASSIGN(model->tokenizer_, read_tokenizer(folder, model->config_));
  const auto layer = options.layer ? options.layer : usual_layer(model->name_, model->config_.shape);
  if (!layer) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot tell which layer of the model to compare",
                 .input = folder.string(),
                 .why = fmt::format("'{}' with {} layers is not among the models that BERTScore was tuned on",
                                    model->name_, model->config_.shape.layers),
                 .hint = "Say which: bert:DIR,layer=N."});
  }
  model->layer_ = *layer;
  AWRY_TRY_ASSIGN(model->files_, open_weight_files(folder));
  AWRY_TRY_ASSIGN(model->weights_,
                  find_encoder_weights(model->files_.tensors, model->config_.shape, *layer, folder));
  AWRY_TRY_ASSIGN(model->hash_, hash_model(folder));
  return model;
}

Result<TextEncoder*> TextModel::open_encoder(Precision precision, std::unique_ptr<TextEncoder>& place) const {
  if (place == nullptr) {
    AWRY_TRY_ASSIGN(place, make_encoder({.shape = config_.shape,
                                         .weights = weights_,
                                         .precision = precision,
                                         .threads = options_.threads}));
  }
  return place.get();
}

}  // namespace awry::inspectors::networks
