// SPDX-License-Identifier: Apache-2.0
// awry config path: which files speak, and which would if they were there.
#include "awry/cli/command.h"
#include "awry/cli/table.h"

namespace awry::cli {

namespace {

namespace fs = std::filesystem;

struct ConfigPathOptions {
  bool json = false;
};

void declare(ConfigPathOptions& options, OptionSet& set) {
  set.describe(
      "Lists the project's awry.toml, the user's config.toml and the .env file in the order in which they "
      "count. A file that is not there is shown where awry looked for it.");
  declare_json(set, options.json);
  set.example("awry config path", "where do I put my settings?");
}

std::vector<Cell> row(std::string_view source, const fs::path& path) {
  std::error_code ignored;
  const bool there = fs::is_regular_file(path, ignored);
  return {source, path.string(), there ? Cell("read", Tone::kGood) : Cell("not there", Tone::kDim)};
}

Result<int> run(const ConfigPathOptions& options, Context& context) {
  const Environment& environment = context.sources.environment;
  const fs::path& here = context.working_folder;
  const auto found = find_project_file(here);
  const fs::path project =
      !context.talk.config.empty() ? fs::absolute(context.talk.config) : found.value_or(here / "awry.toml");
  Table table{.columns = {{"source"}, {"path"}, {"state"}}};
  const fs::path dotenv = environment.dotenv_path();
  table.rows.push_back(row("environment file", dotenv.empty() ? here / ".env" : dotenv));
  table.rows.push_back(row("project", project));
  if (const auto user = user_file_path(environment)) table.rows.push_back(row("user", *user));
  AWRY_TRY(write_table(context.out, table, {.json = options.json}));
  if (context.configuration_error) return fail(*context.configuration_error);
  return kExitDone;
}

}  // namespace

std::unique_ptr<CommandInstance> make_config_path() {
  return make_command<ConfigPathOptions>(declare, run);
}

}  // namespace awry::cli
