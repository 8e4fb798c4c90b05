// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/bert_similarity.h"

#include <optional>

#include "awry/base/text.h"
#include "awry/inspectors/networks/bert_score.h"
#include "awry/score/similarity.h"

namespace awry::cli {
namespace {

namespace networks = inspectors::networks;

// bert:MODEL,layer=9,idf,baseline=FILE,int8
struct BertName {
  std::string model;
  std::optional<std::int64_t> layer;
  bool idf = false, int8 = false;
  std::filesystem::path baseline;
};

Result<BertName> parse_bert_name(std::string_view argument) {
  const std::vector<std::string_view> parts = split(argument, ',');
  BertName name{.model = std::string(parts.empty() ? "" : parts[0])};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = trim(parts[i]);
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    const auto layer = parse_integer(value);
    if (key == "layer" && layer && *layer >= 0) {
      name.layer = *layer;
    } else if (key == "baseline" && !value.empty()) {
      name.baseline = value;
    } else if (part == "idf") {
      name.idf = true;
    } else if (part == "int8") {
      name.int8 = true;
    } else {
      return fail({.kind = ErrorKind::kUsage,
                   .what = "cannot use similarity 'bert' with",
                   .input = std::string(part),
                   .hint = "It takes bert:MODEL, then any of ,layer=N ,idf ,baseline=FILE ,int8."});
    }
  }
  return name;
}

class BertSimilarity final : public score::Similarity {
 public:
  BertSimilarity(BertName name, std::unique_ptr<networks::TextModel> model,
                 std::optional<networks::Baseline> baseline, const SimilarityOptions& options,
                 Context& context)
      : name_(std::move(name)),
        model_(std::move(model)),
        baseline_(baseline),
        options_(options),
        context_(context) {}

  Fields signature() const override {
    return {{"similarity", "bert"},
            {"encoder", model_->name()},
            {"hash", model_->hash().substr(0, 12)},
            {"layer", std::to_string(model_->layer())},
            {"idf", name_.idf ? "truths" : "no"},
            {"rescaled", name_.baseline.empty() ? "no" : name_.baseline.filename().string()},
            {"precision", name_.int8 ? "int8" : "f32"}};
  }

 private:
  Result<std::vector<score::SimilarityMatrix>> compute(std::span<const score::TextBlock> blocks) override {
    std::vector<networks::TextPairs> pairs;
    for (const score::TextBlock& block : blocks) pairs.push_back({block.predictions, block.truths});
    AWRY_TRY_ASSIGN(
        const networks::BertScoreJob job,
        networks::bert_score(*model_, pairs,
                             {.idf = name_.idf,
                              .baseline = baseline_,
                              .memory_bytes = static_cast<std::uint64_t>(options_.memory_mb) << 20,
                              .embedder = {.cache = options_.embedding_cache,
                                           .after_batch = [&](std::size_t) { return go_on(); }}}));
    tell(job);
    std::vector<score::SimilarityMatrix> matrices;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      score::SimilarityMatrix matrix{.predictions = blocks[i].predictions.size(),
                                     .truths = blocks[i].truths.size()};
      for (const networks::BertScore& score : job.scores[i]) matrix.cells.push_back(score.f1);
      matrices.push_back(std::move(matrix));
    }
    return matrices;
  }

  Result<void> go_on() const {
    if (!context_.cancel.requested()) return {};
    return fail({.kind = ErrorKind::kCancelled, .what = "stopped while encoding texts"});
  }

  void tell(const networks::BertScoreJob& job) const {
    context_.say("BERTScore with {}, layer {}: {} texts, {} distinct, {} encoded, {} from the cache",
                 model_->name(), model_->layer(), job.texts, job.distinct, job.encoded, job.from_cache);
    if (job.cut > 0) context_.say("{} texts are longer than the model reads and were cut", job.cut);
    if (job.deviation) {
      context_.say(
          "int8 against single precision over {} pairs: F1 differs by {:.5f} on average, {:.5f} at most",
          job.deviation->pairs, job.deviation->mean, job.deviation->largest);
    }
    if (!baseline_) {
      context_.say(
          "Unrelated sentences already score 0.7 to 0.9: read these numbers only beside others of the "
          "same signature.");
    }
  }

  BertName name_;
  std::unique_ptr<networks::TextModel> model_;
  std::optional<networks::Baseline> baseline_;
  const SimilarityOptions& options_;
  Context& context_;
};

Result<std::unique_ptr<score::Similarity>> make_bert(std::string_view argument,
                                                     const SimilarityOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(BertName name, parse_bert_name(argument));
  AWRY_TRY_ASSIGN(const std::filesystem::path folder,
                  networks::find_model(name.model, model_places(context)));
  AWRY_TRY_ASSIGN(auto model,
                  networks::TextModel::open(folder, {.layer = name.layer,
                                                     .precision = name.int8 ? networks::Precision::kInt8
                                                                            : networks::Precision::kF32,
                                                     .threads = options.threads}));
  std::optional<networks::Baseline> baseline;
  if (!name.baseline.empty()) {
    AWRY_TRY_ASSIGN(baseline, networks::read_baseline(name.baseline, model->layer()));
  }
  return std::make_unique<BertSimilarity>(std::move(name), std::move(model), baseline, options, context);
}

}  // namespace

void declare_similarity(OptionSet& set, SimilarityOptions& options) {
  const std::string group = "How texts are compared (anomreason)";
  set.value(options.similarity, "similarity",
            {.placeholder = "S",
             .help = "How texts are compared: lexical; matrix:FILE; or bert:MODEL, a folder or a name that "
                     "`awry models` lists, with "
                     ",layer=N ,idf ,baseline=FILE ,int8 behind it.",
             .default_text = "lexical",
             .group = group});
  set.value(options.embedding_cache, "embedding-cache",
            {.placeholder = "DIR", .help = "Keep embeddings there and use them again.", .group = group});
  set.value(options.memory_mb, "embedding-memory",
            {.placeholder = "MB",
             .help = "Memory for the embeddings held at once.",
             .group = group,
             .minimum = 16,
             .maximum = 1 << 20});
  set.value(options.threads, "encoder-threads",
            {.placeholder = "N",
             .help = "Threads of the encoder.",
             .default_text = "all cores",
             .group = group,
             .minimum = 0,
             .maximum = 1024});
}

void use_similarity(const SimilarityOptions& options, Context& context,
                    benchmarks::ProtocolOptions& switches) {
  score::offer_similarity("bert", [&options, &context](std::string_view argument) {
    return make_bert(argument, options, context);
  });
  if (!options.similarity.empty()) switches["similarity"] = options.similarity;
}

inspectors::networks::ModelPlaces model_places(const Context& context) {
  return networks::model_places([&](std::string_view name) -> std::optional<std::string> {
    const auto found = context.sources.environment.find(name);
    return found ? std::optional(found->value) : std::nullopt;
  });
}

}  // namespace awry::cli
