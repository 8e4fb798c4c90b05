// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/forge_sources.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "awry/imaging/decode.h"
#include "awry/input/image_files.h"
#include "awry/pipeline/inspect_collection.h"
#include "awry/pipeline/parallel.h"
#include "awry/reading/lettering.h"

namespace awry::cli {
namespace {

namespace fs = std::filesystem;

// What tesseract is less sure of is as often texture as writing.
constexpr double kLeastConfidence = 60;

std::vector<reading::Word> words_in(const fs::path& file) {
  const auto image = imaging::read_image(file);
  if (!image) return {};
  auto words = reading::read_lettering(*image);
  if (!words) return {};
  std::erase_if(*words, [](const reading::Word& word) {
    return word.confidence < kLeastConfidence ||
           std::ranges::none_of(word.text, [](unsigned char c) { return std::isalnum(c) != 0; });
  });
  return std::move(*words);
}

// Words one by one for the pictures to be cut, as lists for the figures whose texts are tampered with.
void read_words(std::span<const fs::path> files, forge::SourcePoolOptions& pool, int threads,
                Context& context) {
  std::vector<forge::CaptionedFigure*> unread;
  for (forge::CaptionedFigure& figure : pool.figures) {
    if (!figure.lettering) unread.push_back(&figure);
  }
  std::vector<std::vector<reading::Word>> words(files.size() + unread.size());
  Progress progress("reading", words.size(), context.progress());
  pipeline::for_each_index(
      words.size(), {.threads = threads, .progress = &progress, .cancel = &context.cancel},
      [&](std::size_t i) {
        words[i] = words_in(i < files.size() ? files[i] : unread[i - files.size()]->file);
      });
  progress.finish();
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const reading::Word& word : words[i]) pool.annotations[files[i]].push_back(word.box);
  }
  for (std::size_t i = 0; i < unread.size(); ++i) {
    unread[i]->lettering.emplace();
    for (const reading::Word& word : words[files.size() + i]) unread[i]->lettering->push_back(word.text);
  }
}

// The mask of a/b.jpg is a/b.png below the folder of masks.
std::map<fs::path, fs::path> masks_of(std::span<const fs::path> files, const fs::path& folder,
                                      const fs::path& masks) {
  std::map<fs::path, fs::path> found;
  for (const fs::path& file : files) {
    fs::path mask = masks / file.lexically_relative(folder);
    mask.replace_extension(".png");
    std::error_code ignored;
    if (fs::is_regular_file(mask, ignored)) found[file] = mask;
  }
  return found;
}

}  // namespace

void declare_source_reading(SourceOptions& options, OptionSet& set) {
  set.value(
      options.masks, "masks",
      {.placeholder = "DIR",
       .help = "Masks of objects to copy, made by hand or by a network: a/b.png for the picture a/b.jpg, "
               "not black where the object is."});
  set.flag(
      options.no_ocr, "no-ocr",
      {.help = "Do not read what is written in the pictures: splices may then cover labels, and the words "
               "of figures are left alone."});
}

Result<forge::SourcePool> open_sources(const SourceOptions& sources, int threads, Context& context) {
  const fs::path folder = sources.folder;
  AWRY_TRY_ASSIGN(const std::vector<Sample> samples,
                  input::samples_of_image_files(std::span(&sources.folder, 1)));
  std::vector<fs::path> files;
  for (const Sample& sample : samples) files.emplace_back(sample.images.front().path);
  forge::SourcePoolOptions options{
      .figures = forge::captioned_figures_in(folder), .threads = threads, .cancel = &context.cancel};
  if (!sources.masks.empty()) {
    options.masks = masks_of(files, folder, sources.masks);
    context.say("{} of {} pictures have a mask", options.masks.size(), files.size());
  }
  if (sources.known) {
    AWRY_TRY_ASSIGN(forge::SourcePool pool, forge::SourcePool::open(folder, files, options));
    return pool;
  }
  if (!sources.no_ocr && reading::can_read_lettering()) {
    read_words(files, options, threads, context);
  } else if (!sources.no_ocr) {
    context.say(
        "awry: tesseract is not installed, so nobody knows what is written in the pictures. Install it: "
        "apt-get install tesseract-ocr tesseract-ocr-eng.");
  }
  // Crops of one picture do not look alike as a whole; what the detectors recognise stays together.
  const pipeline::ReusedPanels reused = pipeline::find_reused_panels(
      samples, {.threads = threads, .progress = context.progress(), .cancel = &context.cancel});
  for (const pipeline::InspectedImage& pair : reused.pairs)
    options.related.emplace_back(pair.sample.images[0].path, pair.sample.images[1].path);
  AWRY_TRY_ASSIGN(forge::SourcePool pool, forge::SourcePool::open(folder, files, options));
  context.say("{} pictures in {} groups of near-duplicates, {} figures with words", pool.images().size(),
              pool.groups(), pool.figures().size());
  for (const auto& [reason, names] : pool.left_out()) {
    constexpr std::size_t kMostNames = 5;
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
      list += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMostNames) list += fmt::format(" and {} more", names.size() - kMostNames);
    context.say("left out: {} {} ({})", names.size(), reason, list);
  }
  return pool;
}

}  // namespace awry::cli
