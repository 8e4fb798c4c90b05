// SPDX-License-Identifier: Apache-2.0
#include "house_rules.h"

#include <fmt/format.h>

#include <functional>

#include "awry/base/text.h"

namespace awry::house {
namespace {

// Heavy or dangerous libraries have one home each; the prefix is what their headers begin with.
struct Home {
  std::string_view header;
  std::set<std::string> modules;
};

const std::vector<Home>& homes() {
  static const std::vector<Home> kHomes = {
      {"opencv2/", {"imaging", "input", "forge", "inspectors/forensics"}},
      {"torch/", {"inspectors/networks", "train"}},
      {"ATen/", {"inspectors/networks", "train"}},
      {"curl/", {"inspectors/vlm", "inspectors/networks"}},
      {"sqlite3", {"store"}},
      {"openssl/", {"base"}},
      {"CLI/", {"cli"}},
      {"toml++/", {"cli"}},
      {"jpeglib", {"imaging"}},
      {"png.h", {"imaging"}},
      {"tiff", {"imaging"}},
      {"webp/", {"imaging"}},
  };
  return kHomes;
}

std::set<std::string> names_in(std::string_view list) {
  std::set<std::string> names;
  for (const std::string_view name : split(list, ';')) {
    if (!trim(name).empty()) names.emplace(trim(name));
  }
  return names;
}

// The header named by an #include line, or empty.
std::string_view included(std::string_view line, char open, char close) {
  line = trim(line);
  if (!line.starts_with('#')) return {};
  line = trim(line.substr(1));
  if (!line.starts_with("include")) return {};
  line = trim(line.substr(7));
  if (line.size() < 2 || line.front() != open) return {};
  const std::size_t end = line.find(close, 1);
  return end == std::string_view::npos ? std::string_view() : line.substr(1, end - 1);
}

}  // namespace

Modules read_modules(std::string_view text) {
  Modules modules;
  for (const std::string_view line : split_lines(text)) {
    const auto parts = split(line, ':');
    if (parts.size() != 3) continue;
    modules[std::string(trim(parts[0]))] = {names_in(parts[1]), names_in(parts[2])};
  }
  return modules;
}

std::string module_of(std::string_view path, const Modules& modules) {
  std::string best;
  for (const auto& [name, module] : modules) {
    if (path.starts_with(name + "/") && name.size() > best.size()) best = name;
  }
  return best;
}

std::vector<std::string> violations_in(std::string_view path, std::string_view source,
                                       const Modules& modules) {
  std::vector<std::string> violations;
  const std::string own = module_of(path, modules);
  if (own.empty()) return {fmt::format("{} belongs to no declared module", path)};
  const Module& module = modules.at(own);
  const bool is_test = path.ends_with("_test.cc") || path.ends_with("_testing.h");

  for (const std::string_view line : split_lines(source)) {
    if (const std::string_view header = included(line, '"', '"'); header.starts_with("awry/")) {
      const std::string target = module_of(header.substr(5), modules);
      const bool allowed =
          target == own || module.uses.contains(target) || (is_test && module.test_uses.contains(target));
      if (!allowed)
        violations.push_back(
            fmt::format("{} includes {}, but {} does not use {}", path, header, own, target));
    }
    const std::string_view outside = included(line, '<', '>');
    for (const Home& home : homes()) {
      if (!outside.empty() && outside.starts_with(home.header) && !home.modules.contains(own)) {
        violations.push_back(fmt::format("{} includes <{}>, which lives elsewhere", path, outside));
      }
    }
  }
  return violations;
}

std::string find_cycle(const Modules& modules) {
  std::set<std::string> finished, open;
  std::string found;
  const std::function<void(const std::string&)> walk = [&](const std::string& name) {
    if (!found.empty() || finished.contains(name) || !modules.contains(name)) return;
    if (!open.insert(name).second) {
      found = name;
      return;
    }
    for (const std::string& used : modules.at(name).uses) walk(used);
    open.erase(name);
    finished.insert(name);
  };
  for (const auto& [name, module] : modules) walk(name);
  return found;
}

}  // namespace awry::house
