// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/config_files.h"

#include <fmt/format.h>

#include <cctype>

#include <toml++/toml.h>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kConfigLimit = 1 << 20;

int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}
int line_of(const toml::key& key) {
  return static_cast<int>(key.source().begin.line);
}

// False for what no option can hold: dates, times, tables inside lists.
bool append_scalar(const toml::node& node, ConfigEntry& entry) {
  if (const auto* text = node.as_string()) {
    entry.values.push_back(text->get());
    entry.types.push_back(OptionType::kText);
  } else if (const auto* truth = node.as_boolean()) {
    entry.values.push_back(format_value(truth->get()));
    entry.types.push_back(OptionType::kBoolean);
  } else if (const auto* whole = node.as_integer()) {
    entry.values.push_back(fmt::format("{}", whole->get()));
    entry.types.push_back(OptionType::kNumber);
  } else if (const auto* real = node.as_floating_point()) {
    entry.values.push_back(fmt::format("{}", real->get()));
    entry.types.push_back(OptionType::kNumber);
  } else {
    return false;
  }
  return true;
}

Result<void> read_table(const toml::table& table, const std::string& name, ConfigFile& file) {
  for (const auto& [key, node] : table) {
    const std::string key_text(key.str());
    if (const auto* inner = node.as_table()) {
      const std::string inner_name = name.empty() ? key_text : name + " " + key_text;
      file.tables.push_back({inner_name, line_of(key)});
      AWRY_TRY(read_table(*inner, inner_name, file));
      continue;
    }
    ConfigEntry entry{.table = name, .key = key_text, .line = line_of(key)};
    bool usable = true;
    if (const auto* list = node.as_array()) {
      entry.is_list = true;
      for (const auto& item : *list) usable = usable && append_scalar(item, entry);
    } else {
      usable = append_scalar(node, entry);
    }
    if (!usable) {
      return fail({.kind = ErrorKind::kUsage,
                   .what = fmt::format("cannot use '{}' in", key_text),
                   .input = file.place(line_of(node)),
                   .why = "text, a number, true, false or a list of these is wanted"});
    }
    file.entries.push_back(std::move(entry));
  }
  return {};
}

// The mistake most people make, and the one that the parser explains worst: `colour = never`.
std::string hint_for_bare_word(std::string_view content, int line_number) {
  const auto lines = split_lines(content);
  if (line_number < 1 || static_cast<std::size_t>(line_number) > lines.size()) return "";
  const std::string_view line = lines[static_cast<std::size_t>(line_number - 1)];
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return "";
  const std::string_view key = trim(line.substr(0, equals)), value = trim(line.substr(equals + 1));
  const bool bare_word = !value.empty() && std::isalpha(static_cast<unsigned char>(value.front())) != 0 &&
                         value.find_first_of("=#\"'") == std::string_view::npos;
  return bare_word ? fmt::format("Write {} = \"{}\".", key, value) : "";
}

}  // namespace

std::string ConfigFile::place(int line) const {
  return fmt::format("{}:{}", shown_path(path), line);
}

Result<ConfigFile> read_config_file(const fs::path& path, Origin::Kind kind) {
  ConfigFile file{.path = path, .kind = kind};
  AWRY_TRY_ASSIGN(const std::string content, read_file(path, kConfigLimit));
  try {
    const toml::table table = toml::parse(content);
    AWRY_TRY(read_table(table, "", file));
  } catch (const toml::parse_error& error) {
    const auto line = static_cast<int>(error.source().begin.line);
    const std::string hint = hint_for_bare_word(content, line);
    return fail({.kind = ErrorKind::kUsage,
                 .what = "cannot read configuration",
                 .input = file.place(line),
                 .why = hint.empty() ? std::string(error.description()) : "text needs quotes",
                 .hint = hint});
  }
  return file;
}

std::string_view toml_library_version() {
#define AWRY_TEXT_INNER(x) #x
#define AWRY_TEXT(x) AWRY_TEXT_INNER(x)
  return AWRY_TEXT(TOML_LIB_MAJOR) "." AWRY_TEXT(TOML_LIB_MINOR) "." AWRY_TEXT(TOML_LIB_PATCH);
}

std::optional<fs::path> find_project_file(const fs::path& folder) {
  return find_upward(folder, "awry.toml");
}

std::optional<fs::path> user_file_path(const Environment& environment) {
  if (const auto xdg = environment.find("XDG_CONFIG_HOME")) {
    // A relative one is to be ignored, says the XDG specification.
    if (const fs::path folder = xdg->value; folder.is_absolute()) return folder / "awry" / "config.toml";
  }
  if (const auto home = environment.find("HOME")) {
    return fs::path(home->value) / ".config" / "awry" / "config.toml";
  }
  return std::nullopt;
}

}  // namespace awry::cli
