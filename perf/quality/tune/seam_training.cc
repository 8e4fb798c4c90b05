// SPDX-License-Identifier: Apache-2.0
#include "seam_training.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "awry/base/random.h"

namespace awry::tune {
namespace {

using namespace inspectors::forensics;

constexpr std::size_t kUnits = kSeamUnits, kInputs = kSeamFeatures;
constexpr std::size_t kParameters = kUnits * (kInputs + 2) + 1;

// Parameters in one row: hidden weights, hidden biases, output weights, output bias.
struct Parameters {
  std::vector<float> values = std::vector<float>(kParameters, 0);
  float* weights(std::size_t unit) { return values.data() + unit * kInputs; }
  float& bias(std::size_t unit) { return values[kUnits * kInputs + unit]; }
  float& output(std::size_t unit) { return values[kUnits * (kInputs + 1) + unit]; }
  float& output_bias() { return values.back(); }
};

// Adds the gradient of one example's loss.
void learn(Parameters& at, const SeamFeatures& x, bool seam, Parameters& gradient) {
  std::array<float, kUnits> hidden;
  float odds = at.output_bias();
  for (std::size_t u = 0; u < kUnits; ++u) {
    hidden[u] = std::max(0.f, std::inner_product(x.begin(), x.end(), at.weights(u), at.bias(u)));
    odds += at.output(u) * hidden[u];
  }
  const float error = 1 / (1 + std::exp(-odds)) - (seam ? 1.f : 0.f);
  gradient.output_bias() += error;
  for (std::size_t u = 0; u < kUnits; ++u) {
    gradient.output(u) += error * hidden[u];
    if (hidden[u] <= 0) continue;
    const float back = error * at.output(u);
    gradient.bias(u) += back;
    float* to = gradient.weights(u);
    for (std::size_t i = 0; i < kInputs; ++i) to[i] += back * x[i];
  }
}

struct Scaling {
  SeamFeatures mean{}, deviation{};
};

Scaling scaling_of(const std::vector<SeamExample>& examples) {
  Scaling scaling;
  const double n = static_cast<double>(examples.size());
  for (std::size_t i = 0; i < kInputs; ++i) {
    double sum = 0, squares = 0;
    for (const SeamExample& example : examples)
      sum += example.features[i], squares += example.features[i] * example.features[i];
    scaling.mean[i] = static_cast<float>(sum / n);
    scaling.deviation[i] = static_cast<float>(std::sqrt(std::max(1e-6, squares / n - sum / n * (sum / n))));
  }
  return scaling;
}

// The network on raw features that equals this one on scaled ones.
SeamNetwork unscaled(Parameters& fitted, const Scaling& scaling) {
  SeamNetwork network;
  for (std::size_t u = 0; u < kUnits; ++u) {
    float bias = fitted.bias(u);
    for (std::size_t i = 0; i < kInputs; ++i) {
      network.weights[u][i] = fitted.weights(u)[i] / scaling.deviation[i];
      bias -= network.weights[u][i] * scaling.mean[i];
    }
    network.biases[u] = bias;
    network.output_weights[u] = fitted.output(u);
  }
  network.output_bias = fitted.output_bias();
  return network;
}

}  // namespace

SeamNetwork train_seam_network(const std::vector<SeamExample>& examples, const SeamTraining& training) {
  constexpr std::size_t batch = 64;
  constexpr float momentum = 0.9f, second = 0.999f;
  const Scaling scaling = scaling_of(examples);
  std::vector<SeamExample> scaled = examples;
  for (SeamExample& example : scaled) {
    for (std::size_t i = 0; i < kInputs; ++i)
      example.features[i] = (example.features[i] - scaling.mean[i]) / scaling.deviation[i];
  }
  RandomStream random = RandomStream(1).fork("seam network");
  Parameters at;
  for (std::size_t u = 0; u < kUnits; ++u) {
    for (std::size_t i = 0; i < kInputs; ++i)
      at.weights(u)[i] = static_cast<float>(random.normal(0, std::sqrt(1.0 / kInputs)));
    at.output(u) = static_cast<float>(random.normal(0, std::sqrt(1.0 / kUnits)));
  }
  std::vector<float> mean(kParameters), square(kParameters);
  const std::size_t steps = scaled.size() / batch * static_cast<std::size_t>(training.epochs);
  std::size_t step = 0;
  for (int epoch = 0; epoch < training.epochs; ++epoch) {
    random.shuffle(std::span(scaled));
    for (std::size_t begin = 0; begin + batch <= scaled.size(); begin += batch) {
      Parameters gradient;
      for (std::size_t i = begin; i < begin + batch; ++i)
        learn(at, scaled[i].features, scaled[i].seam, gradient);
      ++step;
      const double t = static_cast<double>(step), progress = t / static_cast<double>(steps);
      const double rate = training.rate * (1 - 0.95 * progress) * std::sqrt(1 - std::pow(second, t)) /
                          (1 - std::pow(momentum, t));
      for (std::size_t p = 0; p < kParameters; ++p) {
        const float g = gradient.values[p] / batch + static_cast<float>(training.decay) * at.values[p];
        mean[p] = momentum * mean[p] + (1 - momentum) * g;
        square[p] = second * square[p] + (1 - second) * g * g;
        at.values[p] -= static_cast<float>(rate) * mean[p] / (std::sqrt(square[p]) + 1e-8f);
      }
    }
  }
  return unscaled(at, scaling);
}

}  // namespace awry::tune
