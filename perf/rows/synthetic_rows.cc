// SPDX-License-Identifier: Apache-2.0
#include "synthetic_rows.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "awry/base/random.h"
#include "awry/benchmarks/magicmirror/labels.h"

namespace awry::perf {
namespace {

using namespace benchmarks::magicmirror;

// Images per label in the paper's Table 5, in the order of kLevel3; then object morphology.
constexpr std::array kFrequencies = {54,    192,  612,  23,    258, 45857, 15879, 3638, 723,
                                     54114, 4604, 8581, 42327, 300, 20932, 234,   5433, 37085};

class Writer {
 public:
  explicit Writer(const std::filesystem::path& path)
      : stream_(std::fopen(path.c_str(), "wb"), &std::fclose) {}
  bool is_open() const { return stream_ != nullptr; }
  void write(const std::string& text) {
    failed_ |= std::fwrite(text.data(), 1, text.size(), stream_.get()) != text.size();
  }
  bool close() { return std::fclose(stream_.release()) == 0 && !failed_; }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
  bool failed_ = false;
};

std::string words(RandomStream& stream, int count) {
  static constexpr std::array kWords = {"a",       "portrait", "of",      "the",     "old",     "harbour",
                                        "painter", "holding",  "bright",  "lantern", "above",   "stone",
                                        "steps",   "in",       "evening", "light",   "with",    "detailed",
                                        "hands",   "and",      "horse",   "running", "through", "water"};
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += i % 17 == 16 ? ".\\n" : " ";
    text += stream.pick(kWords);
  }
  return text;
}

void add_frequent_label(LabelSet& labels, RandomStream& stream) {
  int total = 0;
  for (const int frequency : kFrequencies) total += frequency;
  int at = stream.integer(0, total - 1);
  for (std::size_t i = 0; i < kFrequencies.size(); ++i) {
    if ((at -= kFrequencies[i]) >= 0) continue;
    if (i < kLevel3.size()) {
      labels.add_level3(i);
    } else {
      labels.add(Level2::kObject);
    }
    return;
  }
}

LabelSet some_labels(RandomStream& stream) {
  LabelSet labels;
  if (stream.chance(0.506)) return labels;
  add_frequent_label(labels, stream);
  if (stream.chance(0.35)) add_frequent_label(labels, stream);
  return labels;
}

std::string escaped(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

std::string reply(LabelSet labels, RandomStream& stream) {
  const std::string thinking = fmt::format("<think>\\n{}\\n</think>\\n", words(stream, 150));
  const double form = stream.uniform();
  if (form < 0.005) return thinking + "I cannot tell.";
  if (form < 0.05) return thinking + "```json\\n" + escaped(verdict_json(labels)) + "\\n```";
  return thinking + escaped("\\boxed{" + verdict_json(labels) + "}");
}

}  // namespace

Result<SyntheticFiles> write_synthetic_rows(const std::filesystem::path& folder, std::size_t rows,
                                            std::uint64_t seed) {
  SyntheticFiles files{.truth = folder / "truth.jsonl", .answers = folder / "answers.jsonl"};
  Writer truth(files.truth), answers(files.answers);
  const auto cannot = [&] {
    return fail({.kind = ErrorKind::kIo, .what = "cannot write synthetic rows", .input = folder.string()});
  };
  if (!truth.is_open() || !answers.is_open()) return cannot();
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream stream = RandomStream(seed).fork(i);
    const std::string image = fmt::format("images_part{}/{:06}-{:016x}.jpg", i / 10'000, i, stream.next());
    const LabelSet labels = some_labels(stream);
    truth.write(fmt::format("{{\"images\": \"{}\", \"prompt_t2i\": \"{}\", \"response\": \"{}\"}}\n", image,
                            words(stream, 40), escaped(verdict_json(labels))));
    const LabelSet said = stream.chance(0.6) ? labels : some_labels(stream);
    answers.write(fmt::format("{{\"images\": \"{}\", \"output\": \"{}\"}}\n", image, reply(said, stream)));
  }
  if (!truth.close() || !answers.close()) return cannot();
  files.bytes = std::filesystem::file_size(files.truth) + std::filesystem::file_size(files.answers);
  return files;
}

}  // namespace awry::perf
