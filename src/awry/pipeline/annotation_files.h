// SPDX-License-Identifier: Apache-2.0
// The files of an annotation run:
//   annotations.jsonl  one line an image: anomalies, what they were made from, what is missing
//   annotations.json   the anomalies alone, in the form AnomReason was released in, for `awry score
//   anomreason` stages.jsonl       one line a call: what went in, what came out costs.json         calls,
//   tokens and money by stage manifest.json, report.html
// All but the last two are the same, byte for byte, however often the run was interrupted.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "awry/agents/annotation.h"
#include "awry/base/result.h"
#include "awry/records/run.h"

namespace awry::pipeline {

// Texts that come in any order and are written in theirs, without being held in memory meanwhile.
class OrderedTexts {
 public:
  static Result<OrderedTexts> make(std::size_t count);

  Result<void> put(std::size_t index, std::string_view text);
  Result<std::string> get(std::size_t index) const;  // empty where nothing was put

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Place {
    long offset = 0;
    std::size_t size = 0;
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<Place> places_;
};

// Writes beside the target and renames at the end, like write_file(), but piece by piece.
class PiecewiseFile {
 public:
  static Result<PiecewiseFile> create(std::filesystem::path path);
  ~PiecewiseFile();
  PiecewiseFile(PiecewiseFile&&) noexcept = default;

  Result<void> write(std::string_view text);
  Result<void> finish();

 private:
  PiecewiseFile() = default;
  std::filesystem::path path_;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

struct StageCost {
  agents::Stage stage = agents::Stage::kPerceive;
  std::size_t calls = 0;
  std::size_t reasked = 0;  // of them
  std::size_t failed = 0;   // of them: no reply, or none that could be used
  Usage usage;
};

// The entry of one image in annotations.json; empty for an image that could not be annotated.
std::string released_entry(const agents::ImageAnnotation& annotation, bool with_verdicts);

std::string print_costs(const std::vector<StageCost>& costs, std::size_t images, std::size_t objects);
std::string print_manifest(const Run& run);

}  // namespace awry::pipeline
