// SPDX-License-Identifier: Apache-2.0
// awry doctor: everything awry needs from this machine, looked at once.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"
#include "awry/cli/command.h"
#include "awry/cli/endpoint_options.h"
#include "awry/cli/table.h"
#include "awry/cli/version.h"
#include "awry/imaging/decode.h"
#include "awry/imaging/encode.h"
#include "awry/pipeline/try_model.h"
#include "awry/store/store.h"

namespace awry::cli {

namespace {

namespace fs = std::filesystem;

struct DoctorOptions {
  fs::path runs = "runs";
  std::string model;
  EndpointOptions endpoint;
  bool json = false;
};

void declare(DoctorOptions& options, OptionSet& set) {
  set.describe(
      "Looks at the program, the machine, the configuration, the image codecs and the database, and says "
      "what is in order. Writes nothing outside the temporary folder.");
  declare_runs_folder(set, options.runs);
  declare_json(set, options.json);
  set.value(options.model, "model",
            {.placeholder = "M",
             .help = "Also ask this model, openai:NAME, one cheap question: whether it is there, takes the "
                     "key, sees, and takes large images."});
  declare_endpoint(set, options.endpoint);
  set.example("awry doctor", "");
  set.example("awry doctor --json", "for a bug report or a script");
  set.example("awry doctor --model openai:gpt-4o", "can this model be asked?");
}

enum class Health { kGood, kNote, kBroken };

struct Check {
  std::string name;
  Health health = Health::kGood;
  std::string finding;
};

Check broken(std::string name, const Error& error) {
  return {.name = std::move(name), .health = Health::kBroken, .finding = error.message()};
}

std::string libraries() {
  return fmt::format("fmt {}.{}.{}, nlohmann-json {}.{}.{}, toml++ {}, CLI11 {}", FMT_VERSION / 10000,
                     FMT_VERSION / 100 % 100, FMT_VERSION % 100, NLOHMANN_JSON_VERSION_MAJOR,
                     NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH, toml_library_version(),
                     cli11_version());
}

Check check_configuration(const Context& context) {
  if (context.configuration_error) return broken("configuration", *context.configuration_error);
  std::vector<std::string> paths;
  for (const ConfigFile& file : context.sources.files) paths.push_back(file.path.string());
  return {.name = "configuration", .finding = paths.empty() ? "no file; defaults" : join(paths, ", ")};
}

Check check_environment_file(const Environment& environment) {
  const fs::path& path = environment.dotenv_path();
  if (path.empty()) return {.name = "environment file", .finding = "no .env"};
  if (!environment.warnings().empty()) {
    return {"environment file", Health::kNote,
            fmt::format("{}: {}", path.string(), environment.warnings().front())};
  }
  return {.name = "environment file", .finding = path.string()};
}

// AWRY_SEDE=3 would otherwise be ignored without a word. Other tools may own AWRY_ names, so it is a note.
std::vector<Check> check_variables(const Context& context) {
  std::vector<std::string> known;
  for (const Command& command : context.commands) {
    const LiveCommand live = bring_to_life(command);
    for (const Option& option : live.set.options()) {
      if (option.is_positional()) continue;
      for (std::string& variable : option.variables()) known.push_back(std::move(variable));
    }
  }
  std::vector<Check> notes;
  for (const std::string& name : context.sources.environment.names()) {
    if (!name.starts_with("AWRY_") || std::ranges::find(known, name) != known.end()) continue;
    std::string finding = fmt::format("{} sets no option", name);
    if (const auto near = did_you_mean(name, known)) finding += fmt::format("; did you mean {}?", *near);
    notes.push_back({"variable", Health::kNote, std::move(finding)});
  }
  return notes;
}

// The folder itself may not exist yet: what counts is whether it could be made.
Check check_runs_folder(const fs::path& runs) {
  std::error_code ignored;
  fs::path existing = fs::absolute(runs, ignored);
  while (!fs::exists(existing, ignored) && existing.has_relative_path()) existing = existing.parent_path();
  if (!fs::is_directory(existing, ignored)) {
    return {"runs folder", Health::kBroken,
            fmt::format("{}: {} is not a folder", runs.string(), existing.string())};
  }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    return {
        "runs folder", Health::kBroken,
        fmt::format("{}: {} is not writable. Choose another with --runs.", runs.string(), existing.string())};
  }
  return {.name = "runs folder", .finding = fmt::format("{} is writable", runs.string())};
}

imaging::Image tiny_picture() {
  imaging::Image image(16, 16, 3);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      image.at(x, y)[0] = static_cast<std::uint8_t>(x * 16);
      image.at(x, y)[1] = static_cast<std::uint8_t>(y * 16);
      image.at(x, y)[2] = 128;
    }
  }
  return image;
}

Result<void> check_round_trip(std::string_view format, const Result<std::string>& encoded,
                              int allowed_mean_difference) {
  const imaging::Image picture = tiny_picture();
  if (!encoded) return fail(encoded.error());
  AWRY_TRY_ASSIGN(const imaging::Image decoded, imaging::decode_image(*encoded, format));
  long total = 0;
  if (decoded.pixels.size() == picture.pixels.size()) {
    for (std::size_t i = 0; i < decoded.pixels.size(); ++i) {
      total += std::abs(decoded.pixels[i] - picture.pixels[i]);
    }
    if (total <= allowed_mean_difference * static_cast<long>(picture.pixels.size())) return {};
  }
  return fail({.what = fmt::format("{} does not give back what was written", format),
               .hint = "Reinstall the codec library."});
}

Check check_codecs() {
  const imaging::Image picture = tiny_picture();
  // The lossy ones may blur the gradient by a few grey levels; a broken codec is off by far more.
  constexpr int kLossless = 0, kLossy = 12;
  const Result<void> results[] = {check_round_trip("PNG", imaging::encode_png(picture), kLossless),
                                  check_round_trip("JPEG", imaging::encode_jpeg(picture), kLossy),
                                  check_round_trip("WebP", imaging::encode_webp(picture), kLossy)};
  for (const Result<void>& result : results) {
    if (!result) return broken("images", result.error());
  }
  return {.name = "images", .finding = "PNG, JPEG and WebP survive writing and reading"};
}

Check check_store() {
  const TemporaryFolder folder;
  const auto store = store::open_store(folder.path() / "doctor.sqlite");
  if (!store) return broken("database", store.error());
  return {.name = "database", .finding = "SQLite opens"};
}

Check check_terminal(const Context& context) {
  const auto describe = [](bool is_terminal, bool colour) {
    return fmt::format("{}, colour {}", is_terminal ? "terminal" : "not a terminal", colour ? "on" : "off");
  };
  return {
      .name = "terminal",
      .finding = fmt::format("stdout {}; stderr {}", describe(context.out_is_terminal, context.out.colour()),
                             describe(context.err_is_terminal, context.err.colour()))};
}

Check check_vision(const pipeline::Trial& trial) {
  if (trial.sees) return {"vision", Health::kGood, "it named the colour of a picture"};
  return {"vision", Health::kNote,
          fmt::format("it did not name the colour of a red picture, but said: {}",
                      shorten(trial.reply.text, 60))};
}

// What one call tells: whether a long picture is taken, and whether it costs what awry's estimates assume.
Check check_image_limits(const pipeline::Trial& trial) {
  if (!trial.long_edge_refused.empty()) {
    return {"image limits", Health::kNote,
            fmt::format("it takes pictures, but not one {} pixels wide: {}. Try --max-edge 1024.",
                        trial.refused_width, shorten(trial.long_edge_refused, 120))};
  }
  return {"image limits", Health::kGood,
          fmt::format("it took a picture of {} x {} pixels for {} tokens in all; awry would have guessed {}",
                      trial.width, trial.height, trial.reply.usage.input_tokens, trial.guessed_tokens)};
}

std::vector<Check> check_model(const DoctorOptions& options, const Context& context) {
  if (options.model.empty()) return {};
  const auto trial = pipeline::try_model(options.model, endpoint_settings(options.endpoint, context));
  if (!trial) return {broken("model", trial.error())};
  const Reply& reply = trial->reply;
  const bool came = reply.outcome == Outcome::kAnswered || reply.outcome == Outcome::kTruncated;
  if (!came) {
    return {{"model", Health::kBroken, fmt::format("{}: {}", name_of(reply.outcome), reply.error)}};
  }
  return {{"model", Health::kGood,
           fmt::format("{} answered after {:.0f} ms, {} tokens", reply.returned_model, reply.latency_ms,
                       reply.usage.input_tokens + reply.usage.output_tokens)},
          check_vision(*trial),
          check_image_limits(*trial)};
}

std::vector<Check> examine(const DoctorOptions& options, const Context& context) {
  std::vector<Check> checks = {
      {.name = "awry", .finding = std::string(version())},
      {.name = "compiler", .finding = std::string(compiler())},
      {.name = "libraries", .finding = libraries()},
      {.name = "cores", .finding = fmt::format("{}", job_count(0))},
      check_terminal(context),
      check_configuration(context),
      check_environment_file(context.sources.environment),
      check_runs_folder(options.runs),
      check_codecs(),
      check_store(),
  };
  for (Check& check : check_model(options, context)) checks.push_back(std::move(check));
  for (Check& note : check_variables(context)) checks.push_back(std::move(note));
  return checks;
}

Cell health_cell(Health health) {
  switch (health) {
    case Health::kGood:
      return {"ok", Tone::kGood};
    case Health::kNote:
      return {"note", Tone::kWarning};
    case Health::kBroken:
      return {"broken", Tone::kBad};
  }
  return {};
}

Result<int> run(const DoctorOptions& options, Context& context) {
  Table table{.columns = {{"health"}, {"check"}, {"finding"}}};
  int broken_count = 0;
  for (const Check& check : examine(options, context)) {
    table.rows.push_back({health_cell(check.health), check.name, check.finding});
    if (check.health == Health::kBroken) ++broken_count;
  }
  AWRY_TRY(write_table(context.out, table, {.json = options.json}));
  if (broken_count == 0) return kExitDone;
  context.say("awry: {} of {} checks found something broken", broken_count, table.rows.size());
  return kExitFailed;
}

}  // namespace

std::unique_ptr<CommandInstance> make_doctor() {
  return make_command<DoctorOptions>(declare, run);
}

}  // namespace awry::cli
