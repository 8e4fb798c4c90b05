// SPDX-License-Identifier: Apache-2.0
// awry split IMAGES: train and test sets that share neither prompts nor near-duplicates.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "awry/annotate/image_metadata.h"
#include "awry/annotate/splits.h"
#include "awry/base/hash.h"
#include "awry/cli/command.h"
#include "awry/cli/table.h"
#include "awry/input/image_files.h"
#include "awry/pipeline/parallel.h"

namespace awry::cli {
namespace {

struct SplitOptions {
  std::vector<std::string> images;
  std::string parts = "train=0.5,test=0.5";
  std::filesystem::path metadata, output;
  std::uint64_t seed = 0;
  int jobs = 0;
  bool json = false;
};

void declare(SplitOptions& options, OptionSet& set) {
  set.describe(
      "Says for each image which part it belongs to, decided by its bytes: the same images always give the "
      "same "
      "split. Images of one prompt, and images that look alike, stay together.");
  set.positionals(options.images, "image", {.help = "Files or folders.", .required = true});
  set.value(options.parts, "parts", {.placeholder = "NAME=SHARE,...", .help = "What to divide into."});
  set.value(options.metadata, "metadata",
            {.placeholder = "FILE",
             .help = "JSON lines with file_name and prompt of images.",
             .default_text = "metadata.jsonl beside the images or above"});
  declare_seed(set, options.seed);
  declare_jobs(set, options.jobs);
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry split images/ --parts train=0.8,test=0.2 -o split.csv", "one line an image");
}

Result<int> run(const SplitOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const std::vector<annotate::SplitPart> parts, annotate::parse_parts(options.parts));
  AWRY_TRY_ASSIGN(std::vector<Sample> samples, input::samples_of_image_files(options.images));
  AWRY_TRY(annotate::add_metadata(samples, options.metadata));
  std::vector<annotate::SplitImage> images(samples.size());
  std::vector<std::optional<Error>> errors(samples.size());
  pipeline::for_each_index(samples.size(), {.threads = job_count(options.jobs)}, [&](std::size_t i) {
    annotate::SplitImage& image = images[i];
    image.id = samples[i].id;
    image.prompt = std::string(annotate::attribute(samples[i], annotate::kPrompt));
    image.sha256 = sha256_hex_of_file(samples[i].images.front().path).value_or(std::string());
    if (auto looks = annotate::picture_hash(samples[i].images.front().path)) {
      image.looks = *looks;
    } else {
      errors[i] = looks.error();
    }
  });
  for (const std::optional<Error>& error : errors) {
    // Left in silently, a damaged copy could end up on the other side of its original.
    if (error) return fail(*error);
  }
  const annotate::Split split = annotate::split_images(images, parts, options.seed);
  Table table{.columns = {{"image"}, {"part"}, {"group"}, {"sha256"}}};
  std::vector<std::size_t> sizes(parts.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    const annotate::Placed& placed = split.placed[i];
    ++sizes[placed.part];
    table.rows.push_back(
        {Cell(images[i].id), Cell(parts[placed.part].name), Cell(placed.group + 1), Cell(images[i].sha256)});
  }
  AWRY_TRY(write_table(context.out, table, {.json = options.json, .file = options.output}));
  for (std::size_t i = 0; i < parts.size(); ++i) context.say("{}: {} images", parts[i].name, sizes[i]);
  context.say("{} groups: {} images joined another by prompt, {} as near-duplicates.", split.groups,
              split.same_prompt, split.near_duplicates);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_split() {
  return make_command<SplitOptions>(declare, run);
}

}  // namespace awry::cli
