// SPDX-License-Identifier: Apache-2.0
#include "awry/inspectors/forensics/trace_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "awry/inspectors/forensics/trace_cells.h"

namespace awry::inspectors::forensics {

std::optional<std::string_view> embedded_file(std::string_view name);

namespace {

constexpr int kSquare = 9;  // taps
constexpr int kHidden = 24;
constexpr std::array kWidths = {32, 48, 56, 56};

// In the order of the file.
enum LayerName {
  kIn1a,
  kIn1b,
  kMix1,
  kIn2a,
  kIn2b,
  kMix2,
  kIn3a,
  kIn3b,
  kMix3,
  kIn4a,
  kIn4b,
  kMix4,
  kOut3a,
  kOut3b,
  kOut2a,
  kOut2b,
  kOut1a,
  kOut1b,
  kPlace,
  kWhole,
  kVerdict
};

struct Shape {
  int inputs, outputs, taps;
};

std::vector<Shape> shapes() {
  const auto [a, b, c, d] = kWidths;
  return {{kTraceChannels, a, kSquare},
          {a, a, kSquare},
          {2 * a, a, 1},
          {a, b, kSquare},
          {b, b, kSquare},
          {2 * b, b, 1},
          {b, c, kSquare},
          {c, c, kSquare},
          {2 * c, c, 1},
          {c, d, kSquare},
          {d, d, kSquare},
          {2 * d, d, 1},
          {c + d, c, kSquare},
          {c, c, kSquare},
          {b + c, b, kSquare},
          {b, b, kSquare},
          {a + b, a, kSquare},
          {a, a, kSquare},
          {a, 1, 1},
          {2 * d + a + 2, kHidden, 1},
          {kHidden, 1, 1}};
}

// Takes what it is asked for off the front; the caller has checked that there is enough.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}
  std::vector<float> floats(int count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), bytes_.data(), values.size() * sizeof(float));
    bytes_.remove_prefix(values.size() * sizeof(float));
    return values;
  }
  float small() {
    const auto value = static_cast<float>(static_cast<std::int8_t>(bytes_.front()));
    bytes_.remove_prefix(1);
    return value;
  }

 private:
  std::string_view bytes_;
};

std::size_t bytes_needed() {
  std::size_t floats = 2 * kTraceChannels, weights = 0;
  for (const Shape& shape : shapes()) {
    floats += 2 * static_cast<std::size_t>(shape.outputs);
    weights += static_cast<std::size_t>(shape.outputs * shape.inputs * shape.taps);
  }
  return sizeof(float) * floats + weights;
}

float positive(float value) {
  return std::max(0.f, value);
}

}  // namespace

Result<TraceNetwork> TraceNetwork::read(std::string_view bytes) {
  if (bytes.size() != bytes_needed()) {
    return fail({.what = "cannot read the splicing network",
                 .why = fmt::format("it has {} bytes instead of {}", bytes.size(), bytes_needed())});
  }
  Cursor cursor(bytes);
  TraceNetwork network;
  network.mean_ = cursor.floats(kTraceChannels);
  network.scale_ = cursor.floats(kTraceChannels);
  for (const Shape& shape : shapes()) {
    Layer layer{.inputs = shape.inputs, .outputs = shape.outputs, .taps = shape.taps};
    const std::vector<float> steps = cursor.floats(shape.outputs);
    layer.bias = cursor.floats(shape.outputs);
    for (const float step : steps) {
      for (int i = 0; i < shape.inputs * shape.taps; ++i) layer.weights.push_back(step * cursor.small());
    }
    network.layers_.push_back(std::move(layer));
  }
  return network;
}

TraceNetwork::Planes TraceNetwork::make_planes(int channels, int rows, int columns) {
  Planes planes{.channels = channels, .rows = rows, .columns = columns, .values = {}};
  planes.values.assign(static_cast<std::size_t>(channels) * planes.area(), 0.f);
  return planes;
}

// 3x3 with zeros around. Four outputs share every value that is loaded.
TraceNetwork::Planes TraceNetwork::convolve(const Planes& in, const Layer& layer) {
  constexpr int kTogether = 4;
  const int width = in.columns + 2;
  std::vector<float> padded(static_cast<std::size_t>(in.channels * (in.rows + 2) * width), 0.f);
  for (int c = 0; c < in.channels; ++c) {
    for (int y = 0; y < in.rows; ++y)
      std::copy_n(in.channel(c) + y * in.columns, in.columns,
                  padded.data() + (c * (in.rows + 2) + y + 1) * width + 1);
  }
  Planes out = make_planes(layer.outputs, in.rows, in.columns);
  const auto output_weights = [&](int o) { return layer.weights.data() + o * layer.inputs * kSquare; };
  for (int o = 0; o < layer.outputs; o += kTogether) {
    for (int y = 0; y < in.rows; ++y) {
      std::array<float*, kTogether> rows;
      for (int k = 0; k < kTogether; ++k) {
        rows[static_cast<std::size_t>(k)] = out.channel(o + k) + y * in.columns;
        std::fill_n(rows[static_cast<std::size_t>(k)], in.columns,
                    layer.bias[static_cast<std::size_t>(o + k)]);
      }
      for (int c = 0; c < in.channels; ++c) {
        for (int dy = 0; dy < 3; ++dy) {
          const float* row = padded.data() + (c * (in.rows + 2) + y + dy) * width;
          const float *w0 = output_weights(o) + c * kSquare + 3 * dy,
                      *w1 = output_weights(o + 1) + c * kSquare + 3 * dy,
                      *w2 = output_weights(o + 2) + c * kSquare + 3 * dy,
                      *w3 = output_weights(o + 3) + c * kSquare + 3 * dy;
          float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
          for (int x = 0; x < in.columns; ++x) {
            const float left = row[x], middle = row[x + 1], right = row[x + 2];
            r0[x] += w0[0] * left + w0[1] * middle + w0[2] * right;
            r1[x] += w1[0] * left + w1[1] * middle + w1[2] * right;
            r2[x] += w2[0] * left + w2[1] * middle + w2[2] * right;
            r3[x] += w3[0] * left + w3[1] * middle + w3[2] * right;
          }
        }
      }
    }
  }
  return out;
}

TraceNetwork::Planes TraceNetwork::residual_level(const Planes& in, const Layer& first, const Layer& second) {
  Planes x = convolve(in, first);
  std::ranges::transform(x.values, x.values.begin(), positive);
  const Planes change = convolve(x, second);
  for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] = positive(x.values[i] + change.values[i]);
  return x;
}

std::vector<float> TraceNetwork::multiply(const Layer& layer, std::span<const float> in) {
  std::vector<float> out = layer.bias;
  for (std::size_t o = 0; o < out.size(); ++o) {
    for (std::size_t i = 0; i < in.size(); ++i) out[o] += layer.weights[o * in.size() + i] * in[i];
  }
  return out;
}

// Adds to every place what mean and spread of the whole image tell.
void TraceNetwork::mix_in_whole(Planes& planes, const Layer& layer) {
  const std::size_t channels = static_cast<std::size_t>(planes.channels);
  const double area = static_cast<double>(planes.area());
  std::vector<float> whole(2 * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const std::span<const float> values(planes.channel(static_cast<int>(c)), planes.area());
    double sum = 0, squares = 0;
    for (const float value : values) sum += static_cast<double>(value);
    const double mean = sum / area;
    for (const float value : values)
      squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
    whole[c] = static_cast<float>(mean),
    whole[channels + c] = static_cast<float>(std::sqrt(squares / area + 1e-4));
  }
  const std::vector<float> added = multiply(layer, whole);
  for (std::size_t c = 0; c < channels; ++c) {
    float* values = planes.channel(static_cast<int>(c));
    for (std::size_t i = 0; i < planes.area(); ++i) values[i] = positive(values[i] + added[c]);
  }
}

// Means of two by two places, of fewer at odd edges.
TraceNetwork::Planes TraceNetwork::halved(const Planes& in) {
  Planes out = make_planes(in.channels, (in.rows + 1) / 2, (in.columns + 1) / 2);
  for (int c = 0; c < in.channels; ++c) {
    for (int y = 0; y < out.rows; ++y) {
      for (int x = 0; x < out.columns; ++x) {
        const int bottom = std::min(2 * y + 2, in.rows), right = std::min(2 * x + 2, in.columns);
        float sum = 0;
        for (int v = 2 * y; v < bottom; ++v) {
          for (int u = 2 * x; u < right; ++u) sum += in.channel(c)[v * in.columns + u];
        }
        out.channel(c)[y * out.columns + x] = sum / static_cast<float>((bottom - 2 * y) * (right - 2 * x));
      }
    }
  }
  return out;
}

// The channels of `coarse`, every place doubled, before those of `fine`.
TraceNetwork::Planes TraceNetwork::joined(const Planes& coarse, const Planes& fine) {
  Planes out = make_planes(coarse.channels + fine.channels, fine.rows, fine.columns);
  for (int c = 0; c < coarse.channels; ++c) {
    for (int y = 0; y < fine.rows; ++y) {
      for (int x = 0; x < fine.columns; ++x)
        out.channel(c)[y * fine.columns + x] = coarse.channel(c)[y / 2 * coarse.columns + x / 2];
    }
  }
  std::ranges::copy(fine.values, out.channel(coarse.channels));
  return out;
}

SpliceOdds TraceNetwork::judge(std::span<const cv::Mat1f> traces) const {
  constexpr float kMost = 6;  // standard deviations
  const auto layer = [&](LayerName name) -> const Layer& { return layers_[static_cast<std::size_t>(name)]; };
  Planes in = make_planes(kTraceChannels, traces[0].rows, traces[0].cols);
  for (int c = 0; c < kTraceChannels; ++c) {
    const std::size_t index = static_cast<std::size_t>(c);
    std::transform(traces[index].begin(), traces[index].end(), in.channel(c), [&](float value) {
      return std::clamp((value - mean_[index]) / scale_[index], -kMost, kMost);
    });
  }
  Planes x1 = residual_level(in, layer(kIn1a), layer(kIn1b));
  mix_in_whole(x1, layer(kMix1));
  Planes x2 = residual_level(halved(x1), layer(kIn2a), layer(kIn2b));
  mix_in_whole(x2, layer(kMix2));
  Planes x3 = residual_level(halved(x2), layer(kIn3a), layer(kIn3b));
  mix_in_whole(x3, layer(kMix3));
  Planes x4 = residual_level(halved(x3), layer(kIn4a), layer(kIn4b));
  mix_in_whole(x4, layer(kMix4));
  const Planes y3 = residual_level(joined(x4, x3), layer(kOut3a), layer(kOut3b));
  const Planes y2 = residual_level(joined(y3, x2), layer(kOut2a), layer(kOut2b));
  const Planes y1 = residual_level(joined(y2, x1), layer(kOut1a), layer(kOut1b));

  SpliceOdds odds{.cells = cv::Mat1f(y1.rows, y1.columns, layer(kPlace).bias[0])};
  float* cells = odds.cells[0];
  for (int c = 0; c < y1.channels; ++c) {
    for (std::size_t i = 0; i < y1.area(); ++i)
      cells[i] += layer(kPlace).weights[static_cast<std::size_t>(c)] * y1.channel(c)[i];
  }
  // What the suspicious cells are like, and the rest.
  std::vector<float> whole;
  for (int c = 0; c < x4.channels; ++c) {
    const std::span<const float> values(x4.channel(c), x4.area());
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    whole.push_back(static_cast<float>(sum / static_cast<double>(values.size())));
  }
  for (int c = 0; c < x4.channels; ++c)
    whole.push_back(*std::max_element(x4.channel(c), x4.channel(c) + x4.area()));
  const float highest = *std::max_element(cells, cells + y1.area());
  std::vector<double> weights(y1.area());
  double total = 0, most = 0, share = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::exp(static_cast<double>(cells[i] - highest));
    total += weights[i], most += weights[i] * static_cast<double>(cells[i]);
    share += 1 / (1 + std::exp(-static_cast<double>(cells[i])));
  }
  for (int c = 0; c < y1.channels; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] * static_cast<double>(y1.channel(c)[i]);
    whole.push_back(static_cast<float>(sum / total));
  }
  whole.push_back(static_cast<float>(most / total));
  whole.push_back(static_cast<float>(share / static_cast<double>(weights.size())));
  std::vector<float> hidden = multiply(layer(kWhole), whole);
  std::ranges::transform(hidden, hidden.begin(), positive);
  odds.whole = static_cast<double>(multiply(layer(kVerdict), hidden)[0]);
  return odds;
}

const TraceNetwork& trained_trace_network() {
  static const TraceNetwork network = [] {
    auto read = TraceNetwork::read(embedded_file("trace_network.weights").value_or(""));
    if (!read) throw std::runtime_error(read.error().message());
    return std::move(*read);
  }();
  return network;
}

}  // namespace awry::inspectors::forensics
