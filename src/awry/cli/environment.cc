// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/environment.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "awry/base/files.h"
#include "awry/base/text.h"

namespace awry::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kDotenvLimit = 1 << 20;

bool is_variable_name(std::string_view name) {
  const auto allowed = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, allowed);
}

// Only blank space or a comment may follow a closing quote.
bool is_blank_or_comment(std::string_view rest) {
  rest = trim(rest);
  return rest.empty() || rest.front() == '#';
}

// 'literal', "with \n \" \\ escapes", or bare up to " #". No ${expansion}: what is written is what is meant.
std::optional<std::string> parse_dotenv_value(std::string_view text) {
  text = trim(text);
  if (text.empty()) return "";
  if (text.front() == '\'') {
    const std::size_t end = text.find('\'', 1);
    if (end == std::string_view::npos || !is_blank_or_comment(text.substr(end + 1))) return std::nullopt;
    return std::string(text.substr(1, end - 1));
  }
  if (text.front() == '"') {
    std::string value;
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] == '"') {
        if (!is_blank_or_comment(text.substr(i + 1))) return std::nullopt;
        return value;
      }
      if (text[i] == '\\' && i + 1 < text.size()) {
        const char escaped = text[++i];
        value += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
      } else {
        value += text[i];
      }
    }
    return std::nullopt;  // the quote is never closed
  }
  if (text.front() == '#') return "";
  const std::size_t comment = std::min(text.find(" #"), text.find("\t#"));
  return std::string(trim(text.substr(0, comment)));
}

}  // namespace

Environment Environment::of_process() {
  std::map<std::string, std::string, std::less<>> real;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) real.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return Environment(std::move(real));
}

void Environment::read_dotenv(const fs::path& folder) {
  const auto path = find_upward(folder, ".env");
  if (!path) return;
  dotenv_path_ = *path;
  const auto content = read_file(*path, kDotenvLimit);
  if (!content) {
    warnings_.push_back(content.error().message());
    return;
  }
  std::string_view text = *content;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  int number = 0;
  for (const std::string_view line : split_lines(text)) read_line(line, ++number);
}

void Environment::read_line(std::string_view line, int number) {
  line = trim(line);
  if (line.empty() || line.front() == '#') return;
  if (line.starts_with("export ")) line = trim(line.substr(7));
  const std::size_t equals = line.find('=');
  const std::string_view name = trim(line.substr(0, equals));
  const auto value =
      equals == std::string_view::npos ? std::nullopt : parse_dotenv_value(line.substr(equals + 1));
  if (!is_variable_name(name) || !value) {
    // The text itself is not repeated: it may hold a key.
    warnings_.push_back(fmt::format("{}:{} is not NAME=value on one line and was left out",
                                    shown_path(dotenv_path_), number));
    return;
  }
  dotenv_.insert_or_assign(std::string(name), Line{*value, number});
}

std::optional<EnvironmentValue> Environment::find(std::string_view name) const {
  if (const auto found = real_.find(name); found != real_.end()) {
    if (found->second.empty()) return std::nullopt;
    return EnvironmentValue{.value = found->second, .origin = std::string(name)};
  }
  if (const auto found = dotenv_.find(name); found != dotenv_.end() && !found->second.value.empty()) {
    return EnvironmentValue{
        .value = found->second.value,
        .origin = fmt::format("{} in {}:{}", name, shown_path(dotenv_path_), found->second.number),
        .folder = dotenv_path_.parent_path()};
  }
  return std::nullopt;
}

std::string Environment::value_or(std::string_view name, std::string_view otherwise) const {
  auto found = find(name);
  return found ? std::move(found->value) : std::string(otherwise);
}

std::vector<std::string> Environment::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : real_) names.push_back(name);
  for (const auto& [name, line] : dotenv_) {
    if (!real_.contains(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::optional<fs::path> find_upward(const fs::path& folder, std::string_view name) {
  std::error_code ignored;  // a folder we may not look into holds nothing for us
  for (fs::path here = fs::absolute(folder, ignored);; here = here.parent_path()) {
    if (fs::is_regular_file(here / name, ignored)) return here / name;
    if (!here.has_relative_path()) return std::nullopt;
  }
}

std::string shown_path(const fs::path& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return path.string();
  const fs::path relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

}  // namespace awry::cli
