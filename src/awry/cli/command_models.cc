// SPDX-License-Identifier: Apache-2.0
// awry models: which text encoders are on this machine, and whether they can be used.
#include "awry/base/text.h"
#include "awry/cli/bert_similarity.h"
#include "awry/cli/command.h"
#include "awry/cli/table.h"
#include "awry/inspectors/networks/text_model.h"

namespace awry::cli {
namespace {

namespace networks = inspectors::networks;

struct ModelsOptions {
  std::vector<std::string> folders;
  bool json = false;
  std::filesystem::path output;
};

void declare(ModelsOptions& options, OptionSet& set) {
  set.describe(
      "Lists the text encoders in awry's own folder and in the caches of Hugging Face's tools, with their "
      "size, "
      "the hash that stands in metric signatures, and whether they can be read. Downloads nothing.");
  set.positionals(options.folders, "folder", {.help = "Look at these instead."});
  declare_json(set, options.json);
  declare_output(set, options.output);
  set.example("awry models", "what can --similarity bert:MODEL be?");
}

std::uint64_t bytes_in(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) bytes += at->file_size(ignored);
  }
  return bytes;
}

std::vector<Cell> row_of(const networks::FoundModel& found) {
  std::vector<Cell> row = {found.name};
  // All layers, so that every tensor is looked at.
  const auto config = networks::read_model_config(found.folder / "config.json");
  const auto model = config ? networks::TextModel::open(found.folder, {.layer = config->shape.layers})
                            : tl::unexpected(config.error());
  const auto layer = config ? networks::usual_layer(found.name, config->shape) : std::nullopt;
  row.emplace_back(config ? Cell(config->family_name) : Cell());
  row.emplace_back(layer ? Cell(*layer) : Cell());
  row.emplace_back(human_bytes(bytes_in(found.folder)));
  row.emplace_back(model ? Cell((*model)->hash().substr(0, 12)) : Cell());
  row.emplace_back(model ? Cell("yes", Tone::kGood) : Cell(model.error().message(), Tone::kBad));
  row.emplace_back(found.folder.string());
  return row;
}

Result<int> run(const ModelsOptions& options, Context& context) {
  const networks::ModelPlaces places = model_places(context);
  std::vector<networks::FoundModel> found;
  for (const std::string& folder : options.folders) {
    AWRY_TRY_ASSIGN(const std::filesystem::path path, networks::find_model(folder, places));
    found.push_back({networks::model_name_of(path), path});
  }
  if (options.folders.empty()) found = networks::list_models(places);
  Table table{.columns = {{"model"}, {"family"}, {"layer"}, {"size"}, {"hash"}, {"loads"}, {"folder"}}};
  bool all_load = true;
  for (const networks::FoundModel& model : found) {
    table.rows.push_back(row_of(model));
    all_load &= std::get<std::string>(table.rows.back()[5].value) == "yes";
  }
  if (!found.empty() || options.json) {
    AWRY_TRY(write_table(context.out, table, {.json = options.json, .file = options.output}));
  }
  if (found.empty()) {
    context.say("No models in {}", places.own.string());
    for (const std::filesystem::path& hub : places.hubs) context.say("nor in {}", hub.string());
    context.say("To have one, put its files into a folder there:");
    for (const networks::KnownModel& known : networks::known_models()) {
      context.say("  {}  ({})\n    {}", networks::own_folder(known.name, places).string(), known.purpose,
                  fmt::join(known.files, ", "));
    }
  }
  return all_load ? kExitDone : kExitPartial;
}

}  // namespace

std::unique_ptr<CommandInstance> make_models() {
  return make_command<ModelsOptions>(declare, run);
}

}  // namespace awry::cli
