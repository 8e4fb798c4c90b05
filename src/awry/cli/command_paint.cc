// SPDX-License-Identifier: Apache-2.0
// awry paint KIND: seeded panels of scientific figures, with everything about them known.
#include <algorithm>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/cli/command.h"
#include "awry/forge/contact_sheet.h"
#include "awry/forge/paint.h"
#include "awry/forge/parallel.h"
#include "awry/imaging/encode.h"

namespace awry::cli {
namespace {

struct PaintOptions {
  std::string kind;
  int count = 1;
  int width = 512, height = 512;
  std::uint64_t seed = 1;
  int jobs = 0;
  std::filesystem::path output = "painted";
};

std::string known_kinds() {
  std::string names;
  for (const forge::PanelKind kind : forge::kAllPanelKinds)
    names += (names.empty() ? "" : ", ") + std::string(name_of(kind));
  return names;
}

void declare(PaintOptions& options, OptionSet& set) {
  set.describe(
      "Paints panels as they are found in scientific figures, with captions and sentences whose numbers and "
      "trends are true of them. panels.jsonl says what each shows, contact.png shows all at a glance. The "
      "same "
      "seed paints the same panels.");
  set.positional(options.kind, "kind",
                 {.help = fmt::format("One of {}, or all.", known_kinds()), .required = true});
  set.value(
      options.count, "count",
      {.letter = 'n', .placeholder = "N", .help = "Panels of each kind.", .minimum = 1, .maximum = 100000});
  set.value(options.width, "width",
            {.placeholder = "PIXELS",
             .help = "Of every panel.",
             .minimum = forge::kMinPanelSide,
             .maximum = forge::kMaxPanelSide});
  set.value(options.height, "height",
            {.placeholder = "PIXELS",
             .help = "Of every panel.",
             .minimum = forge::kMinPanelSide,
             .maximum = forge::kMaxPanelSide});
  declare_seed(set, options.seed);
  declare_jobs(set, options.jobs);
  set.value(options.output, "output", {.letter = 'o', .placeholder = "DIR", .help = "Where the panels go."});
  set.example("awry paint stained_micrograph", "one panel");
  set.example("awry paint all -n 20 --seed 7 -o panels", "twenty of each kind");
}

Result<std::vector<forge::PanelKind>> kinds_called(const std::string& name) {
  if (name == "all")
    return std::vector<forge::PanelKind>{forge::kAllPanelKinds.begin(), forge::kAllPanelKinds.end()};
  if (const auto kind = forge::panel_kind_named(name)) return std::vector{*kind};
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot paint",
               .input = name,
               .why = "no painter knows it",
               .hint = fmt::format("Choose one of {}, or all.", known_kinds())});
}

Json described(const forge::Painted& panel, const std::string& file) {
  Json facts = Json::array();
  for (const forge::Fact& fact : panel.facts)
    facts.push_back({{"name", fact.name}, {"value", fact.value}, {"unit", fact.unit}});
  return {
      {"file_name", file},           {"kind", name_of(panel.kind)},  {"scenario", scenario_of(panel.kind)},
      {"caption", panel.caption},    {"sentences", panel.sentences}, {"facts", std::move(facts)},
      {"lettering", panel.lettering}};
}

Result<int> run(const PaintOptions& options, Context& context) {
  AWRY_TRY_ASSIGN(const auto kinds, kinds_called(options.kind));
  AWRY_TRY(make_folder(options.output));
  const std::size_t each = static_cast<std::size_t>(options.count), total = kinds.size() * each;
  std::vector<std::string> lines(total);
  std::vector<imaging::Image> thumbnails(std::min<std::size_t>(total, forge::kMaxContactPictures));
  Progress progress("painting", total, context.progress());
  const auto work = [&](std::size_t i) -> Result<void> {
    const forge::PanelKind kind = kinds[i / each];
    const RandomStream random = RandomStream(options.seed).fork("paint").fork(name_of(kind)).fork(i % each);
    AWRY_TRY_ASSIGN(const forge::Painted panel,
                    forge::paint_panel(kind, options.width, options.height, random));
    const std::string file = fmt::format("{}_{:03}.png", name_of(kind), i % each + 1);
    AWRY_TRY(imaging::write_image(options.output / file, panel.image));
    lines[i] = dump_json(described(panel, file)) + "\n";
    if (i < thumbnails.size()) thumbnails[i] = panel.image;
    return {};
  };
  AWRY_TRY(forge::for_each_item(total, work,
                                {.threads = job_count(options.jobs),
                                 .on_item = [&](std::size_t, std::size_t) { progress.add(); },
                                 .cancel = &context.cancel}));
  progress.finish();
  std::string text;
  for (const std::string& line : lines) text += line;
  AWRY_TRY(write_file(options.output / "panels.jsonl", text));
  AWRY_TRY(imaging::write_image(options.output / "contact.png", forge::contact_sheet(thumbnails)));
  context.say("painted {} panels into {}", total, options.output.string());
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_paint() {
  return make_command<PaintOptions>(declare, run);
}

}  // namespace awry::cli
