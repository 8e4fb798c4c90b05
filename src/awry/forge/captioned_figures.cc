// SPDX-License-Identifier: Apache-2.0
#include "awry/forge/captioned_figures.h"

#include <algorithm>
#include <tuple>

#include "awry/base/files.h"
#include "awry/base/json.h"
#include "awry/base/text.h"

namespace awry::forge {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts_of(const Json& json, const char* field) {
  std::vector<std::string> texts;
  const auto found = json.find(field);
  if (found == json.end() || !found->is_array()) return texts;
  for (const Json& text : *found) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

std::string text_of(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

class Finder {
 public:
  explicit Finder(const fs::path& folder) : folder_(folder) {}

  void look_at(const fs::path& file) {
    const std::string name = file.filename().string();
    if (name == "figure.json") {
      if (const auto json = read_json_file(file); json && json->is_object()) add_extracted(file, *json);
    } else if (name == "panels.jsonl" || name == "metadata.jsonl") {
      const auto text = read_file(file);
      if (!text) return;
      for (const std::string_view line : split_lines(*text)) {
        if (const auto json = parse_json(line, name); json && json->is_object()) add_described(file, *json);
      }
    } else if (const auto picture = picture_beside(file)) {
      add_sidecar(file, *picture);
    }
  }

  std::vector<CaptionedFigure> take() {
    // Folders list their files in any order; of two descriptions of one picture always the same one counts.
    std::ranges::sort(found_, {}, [](const Found& found) {
      return std::tie(found.figure.name, found.precedence, found.description);
    });
    std::vector<CaptionedFigure> figures;
    for (Found& found : found_) {
      if (figures.empty() || figures.back().name != found.figure.name)
        figures.push_back(std::move(found.figure));
    }
    return figures;
  }

 private:
  struct Found {
    CaptionedFigure figure;
    int precedence = 0;  // lists of many pictures before files beside one
    fs::path description;
  };

  // "a.txt" and "a.json" describe "a.png".
  static std::optional<fs::path> picture_beside(const fs::path& file) {
    constexpr std::uintmax_t kMostBytes = 256 << 10;  // of words about one picture
    std::error_code ignored;
    if ((file.extension() != ".txt" && file.extension() != ".json") ||
        fs::file_size(file, ignored) > kMostBytes)
      return std::nullopt;
    for (const char* ending : {".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp"}) {
      fs::path picture = file;
      picture.replace_extension(ending);
      if (fs::is_regular_file(picture, ignored)) return picture;
    }
    return std::nullopt;
  }

  void add_sidecar(const fs::path& description, const fs::path& picture) {
    Json json = Json::object();
    if (description.extension() == ".txt") {
      const auto text = read_file(description);
      if (!text) return;
      json["caption"] = repair_utf8(trim(*text));
    } else if (auto read = read_json_file(description); read && read->is_object()) {
      json = std::move(*read);
    }
    CaptionedFigure figure{.file = picture, .pictures = {name_of(picture)}};
    if (json.contains("lettering")) figure.lettering = texts_of(json, "lettering");
    add(std::move(figure), json, description, description.extension() == ".txt" ? 2 : 1);
  }

  std::string name_of(const fs::path& file) const {
    return file.lexically_normal().lexically_relative(folder_.lexically_normal()).generic_string();
  }

  // Files are named from the folder of the paper, and lie beside their description.
  void add_extracted(const fs::path& description, const Json& json) {
    CaptionedFigure figure{.file = description.parent_path() / "figure.png"};
    const auto panels = json.find("panels");
    if (panels != json.end() && panels->is_array()) {
      for (const Json& panel : *panels) {
        const std::string file = panel.is_object() ? text_of(panel, "file") : "";
        if (!file.empty())
          figure.pictures.push_back(name_of(description.parent_path() / fs::path(file).filename()));
      }
    }
    add(std::move(figure), json, description, 0);
  }

  void add_described(const fs::path& description, const Json& json) {
    const std::string file = text_of(json, "file_name");
    if (file.empty() || fs::path(file).is_absolute() || file.find("..") != std::string::npos) return;
    CaptionedFigure figure{.file = description.parent_path() / file};
    figure.pictures = {name_of(figure.file)};
    if (json.contains("lettering")) figure.lettering = texts_of(json, "lettering");
    add(std::move(figure), json, description, 0);
  }

  void add(CaptionedFigure figure, const Json& json, const fs::path& description, int precedence) {
    figure.name = name_of(figure.file);
    figure.caption = text_of(json, "caption");
    if (figure.caption.empty()) figure.caption = text_of(json, "text");
    figure.sentences = texts_of(json, "sentences");
    std::error_code ignored;
    if ((figure.caption.empty() && figure.sentences.empty()) || !fs::is_regular_file(figure.file, ignored))
      return;
    found_.push_back({std::move(figure), precedence, description});
  }

  fs::path folder_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<CaptionedFigure> captioned_figures_in(const fs::path& folder) {
  Finder finder(folder);
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) finder.look_at(entry->path());
  }
  return finder.take();
}

}  // namespace awry::forge
