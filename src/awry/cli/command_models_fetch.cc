// SPDX-License-Identifier: Apache-2.0
// awry models fetch NAME: the one command that downloads a model.
#include "awry/base/text.h"
#include "awry/cli/bert_similarity.h"
#include "awry/cli/command.h"
#include "awry/cli/table.h"
#include "awry/inspectors/networks/fetch_model.h"

namespace awry::cli {
namespace {

namespace networks = inspectors::networks;

struct FetchOptions {
  std::string model;
  std::filesystem::path folder;
  std::string base_url = "https://huggingface.co", revision = "main";
  bool json = false;
};

void declare(FetchOptions& options, OptionSet& set) {
  std::vector<std::string> names;
  for (const networks::KnownModel& known : networks::known_models()) names.emplace_back(known.name);
  set.describe(
      "Downloads the files of a text encoder, goes on where an earlier download stopped, and verifies every "
      "file against the hash that the server lists.");
  set.positional(options.model, "model",
                 {.help = fmt::format("One of {}.", join(names, ", ")), .required = true});
  set.value(options.folder, "folder",
            {.placeholder = "DIR", .help = "Where to put it.", .default_text = "where `awry models` looks"});
  set.value(options.base_url, "hub-url", {.placeholder = "URL", .help = "A mirror of the Hugging Face hub."});
  set.value(options.revision, "revision", {.placeholder = "R", .help = "A branch, tag or commit."});
  declare_json(set, options.json);
  set.example("awry models fetch distilbert-base-uncased", "the encoder behind SemAP, 268 MB");
}

Result<int> run(const FetchOptions& options, Context& context) {
  const networks::KnownModel* const model = networks::find_known_model(options.model);
  if (model == nullptr) {
    return fail({.kind = ErrorKind::kUsage,
                 .what = "awry does not know how to fetch",
                 .input = options.model,
                 .hint = "Download its folder yourself and use it as bert:DIR."});
  }
  const auto folder =
      options.folder.empty() ? networks::own_folder(model->name, model_places(context)) : options.folder;
  int told = -1;
  AWRY_TRY_ASSIGN(
      const std::vector<networks::FetchedFile> files,
      networks::fetch_model(*model, {.base_url = options.base_url,
                                     .revision = options.revision,
                                     .folder = folder,
                                     .progress =
                                         [&](std::string_view file, std::uint64_t done, std::uint64_t total) {
                                           const int percent =
                                               total == 0 ? 100 : static_cast<int>(done * 100 / total);
                                           if (percent / 10 == told || total < (10 << 20)) return;
                                           told = percent / 10;
                                           context.say("{}  {}%  {}", file, percent, human_bytes(total));
                                         },
                                     .cancelled = [&] { return context.cancel.requested(); }}));
  Table table{.columns = {{"file"}, {"size"}, {"downloaded"}}};
  for (const networks::FetchedFile& file : files) {
    table.rows.push_back({file.name, human_bytes(file.bytes), human_bytes(file.downloaded)});
  }
  AWRY_TRY(write_table(context.out, table, {.json = options.json}));
  context.say("{} is in {}", model->name, folder.string());
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_models_fetch() {
  return make_command<FetchOptions>(declare, run);
}

}  // namespace awry::cli
