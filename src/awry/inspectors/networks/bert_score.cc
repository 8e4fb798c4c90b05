// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/networks/bert_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "awry/inspectors/networks/distinct_texts.h"

namespace awry::inspectors::networks {
namespace {

// Products of one matrix multiplication; more predictions than fit are taken in turns.
constexpr std::size_t kMaxCells = 16 << 20;
// Eight bits are held against single precision on about this many pairs.
constexpr std::size_t kPairsToCheck = 200;

struct Comparison {
  std::vector<std::size_t> predictions, truths;  // numbers of distinct texts
};

class Job {
 public:
  Job(TextModel& model, Embedder& embedder, const BertScoreOptions& options)
      : model_(model), embedder_(embedder), options_(options), texts_(model.tokenizer()) {}

  Result<BertScoreJob> run(std::span<const TextPairs> pairs) {
    for (const TextPairs& each : pairs) {
      Comparison comparison;
      for (const auto text : each.predictions) {
        comparison.predictions.push_back(texts_.add(text, DistinctTexts::Role::kPrediction));
      }
      for (const auto text : each.truths) {
        comparison.truths.push_back(texts_.add(text, DistinctTexts::Role::kTruth));
      }
      comparisons_.push_back(std::move(comparison));
    }
    last_use_.assign(texts_.size(), 0);
    embeddings_.resize(texts_.size());
    for (std::size_t i = 0; i < comparisons_.size(); ++i) {
      for_each_text(i, [&](std::size_t text) { last_use_[text] = i; });
    }
    for (std::size_t first = 0; first < comparisons_.size();) {
      const std::size_t last = end_of_window(first);
      AWRY_TRY(embed_window(first, last));
      for (std::size_t i = first; i < last; ++i) AWRY_TRY(compare(i));
      forget_until(last);
      first = last;
    }
    job_.texts = texts_.added();
    job_.distinct = texts_.size();
    job_.cut = texts_.cut();
    job_.encoded = embedder_.stats().encoded;
    job_.from_cache = embedder_.stats().from_cache;
    return std::move(job_);
  }

 private:
  template <class Visit>
  void for_each_text(std::size_t comparison, const Visit& visit) const {
    // Without a partner a text need not be looked at.
    if (comparisons_[comparison].predictions.empty() || comparisons_[comparison].truths.empty()) return;
    for (const std::size_t text : comparisons_[comparison].predictions) visit(text);
    for (const std::size_t text : comparisons_[comparison].truths) visit(text);
  }

  std::uint64_t bytes_of(std::size_t text) const {
    return texts_.tokens(text).size() * static_cast<std::uint64_t>(model_.shape().hidden) * sizeof(float);
  }

  // As many comparisons as have their embeddings in memory together; at least one.
  std::size_t end_of_window(std::size_t first) {
    std::vector<bool> counted(texts_.size());
    std::uint64_t held = held_bytes_;
    std::size_t last = first;
    for (; last < comparisons_.size(); ++last) {
      for_each_text(last, [&](std::size_t text) {
        if (counted[text] || !embeddings_[text].empty()) return;
        counted[text] = true;
        held += bytes_of(text);
      });
      if (held > options_.memory_bytes && last > first) break;
    }
    return last;
  }

  Result<void> embed_window(std::size_t first, std::size_t last) {
    std::vector<std::size_t> wanted;
    for (std::size_t i = first; i < last; ++i) {
      for_each_text(i, [&](std::size_t text) {
        if (embeddings_[text].empty()) wanted.push_back(text);
      });
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    std::vector<const Tokens*> sequences;
    for (const std::size_t text : wanted) sequences.push_back(&texts_.tokens(text));
    AWRY_TRY_ASSIGN(std::vector<Embedding> embeddings, embedder_.embed(sequences));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      embeddings_[wanted[i]] = std::move(embeddings[i]);
      held_bytes_ += bytes_of(wanted[i]);
    }
    return {};
  }

  // What no later comparison needs goes; so does everything when texts that come again fill half the memory,
  // even though it then has to be encoded a second time.
  void forget_until(std::size_t comparison) {
    const auto forget = [&](std::size_t text) {
      if (embeddings_[text].empty()) return;
      held_bytes_ -= bytes_of(text);
      Embedding().swap(embeddings_[text]);
    };
    for (std::size_t text = 0; text < texts_.size(); ++text) {
      if (last_use_[text] < comparison) forget(text);
    }
    if (held_bytes_ <= options_.memory_bytes / 2) return;
    for (std::size_t text = 0; text < texts_.size(); ++text) forget(text);
  }

  Result<void> compare(std::size_t index) {
    const Comparison& comparison = comparisons_[index];
    const auto embedding = [&](std::size_t text) -> const Embedding& { return embeddings_[text]; };
    AWRY_TRY_ASSIGN(BertScores scores, scores_of(comparison, embedding));
    if (model_.precision() != Precision::kF32 && options_.check_precision) {
      AWRY_TRY(check_against_exact(comparison, scores));
    }
    if (options_.baseline) {
      for (BertScore& score : scores) score = rescaled(score, *options_.baseline);
    }
    job_.scores.push_back(std::move(scores));
    return {};
  }

  template <class EmbeddingOf>
  Result<BertScores> scores_of(const Comparison& comparison, const EmbeddingOf& embedding_of) {
    const auto width = static_cast<std::size_t>(model_.shape().hidden);
    BertScores scores;
    if (comparison.predictions.empty() || comparison.truths.empty()) return scores;
    AWRY_TRY_ASSIGN(TextEncoder* const encoder, model_.encoder());

    std::vector<float> columns;
    for (const std::size_t text : comparison.truths) {
      columns.insert(columns.end(), embedding_of(text).begin(), embedding_of(text).end());
    }
    const std::size_t stride = columns.size() / width;
    for (std::size_t first = 0; first < comparison.predictions.size();) {
      std::vector<float> rows;
      std::size_t last = first;
      for (; last < comparison.predictions.size(); ++last) {
        const Embedding& embedding = embedding_of(comparison.predictions[last]);
        if (last > first && (rows.size() + embedding.size()) / width * stride > kMaxCells) break;
        rows.insert(rows.end(), embedding.begin(), embedding.end());
      }
      std::vector<float> products(rows.size() / width * stride);
      if (std::string error = encoder->multiply(rows, columns, width, products); !error.empty()) {
        return fail({.what = "cannot compare embeddings", .why = std::move(error)});
      }
      const float* row = products.data();
      for (; first < last; ++first) {
        const std::size_t prediction = comparison.predictions[first];
        const float* cell = row;
        for (const std::size_t truth : comparison.truths) {
          const Cosines cosines{.first = cell,
                                .rows = texts_.tokens(prediction).size(),
                                .columns = texts_.tokens(truth).size(),
                                .stride = stride};
          scores.push_back(score_of(cosines, prediction, truth));
          cell += cosines.columns;
        }
        row += texts_.tokens(prediction).size() * stride;
      }
    }
    return scores;
  }

  BertScore score_of(const Cosines& cosines, std::size_t prediction, std::size_t truth) const {
    const std::vector<float> rows = texts_.weights(prediction, options_.idf);
    const std::vector<float> columns = texts_.weights(truth, options_.idf);
    const auto silent = [](const std::vector<float>& weights) {
      return std::all_of(weights.begin(), weights.end(), [](float weight) { return weight == 0; });
    };
    return silent(rows) || silent(columns) ? BertScore() : match_greedily(cosines, rows, columns);
  }

  static BertScore rescaled(const BertScore& score, const Baseline& baseline) {
    return {(score.precision - baseline.precision) / (1 - baseline.precision),
            (score.recall - baseline.recall) / (1 - baseline.recall),
            (score.f1 - baseline.f1) / (1 - baseline.f1)};
  }

  Result<void> check_against_exact(const Comparison& comparison, const BertScores& scores) {
    if (!job_.deviation) job_.deviation.emplace();
    auto& deviation = *job_.deviation;
    if (deviation.pairs >= kPairsToCheck || scores.empty()) return {};
    std::vector<const Tokens*> sequences;
    std::map<std::size_t, std::size_t> places;
    for (const auto* const side : {&comparison.predictions, &comparison.truths}) {
      for (const std::size_t text : *side) {
        if (places.emplace(text, sequences.size()).second) sequences.push_back(&texts_.tokens(text));
      }
    }
    AWRY_TRY_ASSIGN(const std::vector<Embedding> exact, embedder_.embed_exactly(sequences));
    const auto embedding = [&](std::size_t text) -> const Embedding& { return exact[places.at(text)]; };
    AWRY_TRY_ASSIGN(const BertScores right, scores_of(comparison, embedding));
    double sum = deviation.mean * static_cast<double>(deviation.pairs);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double difference = std::abs(static_cast<double>(scores[i].f1) - right[i].f1);
      deviation.largest = std::max(deviation.largest, difference);
      sum += difference;
    }
    deviation.pairs += scores.size();
    deviation.mean = sum / static_cast<double>(deviation.pairs);
    return {};
  }

  TextModel& model_;
  Embedder& embedder_;
  const BertScoreOptions& options_;
  DistinctTexts texts_;
  std::vector<Comparison> comparisons_;
  std::vector<std::size_t> last_use_;
  std::vector<Embedding> embeddings_;
  std::uint64_t held_bytes_ = 0;
  BertScoreJob job_;
};

}  // namespace

Result<BertScoreJob> bert_score(TextModel& model, std::span<const TextPairs> pairs,
                                const BertScoreOptions& options) {
  AWRY_TRY_ASSIGN(Embedder embedder, Embedder::open(model, options.embedder));
  return Job(model, embedder, options).run(pairs);
}

}  // namespace awry::inspectors::networks
