// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/prompts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "awry/base/files.h"
#include "awry/base/hash.h"
#include "awry/base/text.h"

namespace awry::agents {

std::optional<std::string_view> embedded_file(std::string_view path);

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPerceiverWordings = 3;

std::string form_file(ReplyForm form, ReplyStyle style) {
  const std::string_view ending = style == ReplyStyle::kJson ? ".json.txt" : ".txt";
  switch (form) {
    case ReplyForm::kVerdict:
      return "form.verdict.txt";
    case ReplyForm::kSame:
      return "form.same.txt";
    case ReplyForm::kText:
      return "form.text.txt";
    case ReplyForm::kObjects:
      return fmt::format("form.objects{}", ending);
    case ReplyForm::kFlaws:
      return fmt::format("form.flaws{}", ending);
    case ReplyForm::kMerged:
      return fmt::format("form.merged{}", ending);
    case ReplyForm::kFinal:
      return fmt::format("form.final{}", ending);
  }
  return "";
}

bool has_json_form(ReplyForm form) {
  return form_file(form, ReplyStyle::kJson) != form_file(form, ReplyStyle::kPlain);
}

std::string prompt_file(Stage stage, std::size_t wording) {
  if (stage == Stage::kPerceive) return fmt::format("perceive.{}.txt", wording % kPerceiverWordings + 1);
  return fmt::format("{}.txt", name_of(stage));
}

struct PromptFile {
  std::string name;
  std::vector<std::string_view> gaps;
};

std::vector<PromptFile> all_files() {
  std::vector<PromptFile> files = {{"reask.txt", {"complaint", "form"}}};
  for (const StageTraits& traits : all_stages()) {
    const std::size_t wordings = traits.stage == Stage::kPerceive ? kPerceiverWordings : 1;
    for (std::size_t i = 0; i < wordings; ++i) files.push_back({prompt_file(traits.stage, i), traits.gaps});
    for (const ReplyStyle style : {ReplyStyle::kPlain, ReplyStyle::kJson}) {
      const std::string form = form_file(traits.form, style);
      if (std::ranges::none_of(files, [&](const PromptFile& file) { return file.name == form; })) {
        files.push_back({form, {}});
      }
    }
  }
  return files;
}

// The word in braces at `open`; "" where the braces are text.
std::string_view gap_at(std::string_view text, std::size_t open) {
  const std::size_t close = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", open + 1);
  if (close == std::string_view::npos || text[close] != '}') return "";
  return text.substr(open + 1, close - open - 1);
}

tl::unexpected<Error> unusable(std::string place, std::string why, std::string hint) {
  return fail({.kind = ErrorKind::kUsage,
               .what = "cannot use the prompt",
               .input = std::move(place),
               .why = std::move(why),
               .hint = std::move(hint)});
}

Result<void> check_gaps(const std::string& text, const PromptFile& file, const std::string& place) {
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    const std::string_view gap = gap_at(text, open);
    if (gap.empty() || std::ranges::find(file.gaps, gap) != file.gaps.end()) continue;
    return unusable(
        place, fmt::format("nothing is known to fill the gap '{{{}}}'", gap),
        file.gaps.empty() ? "It has no gaps." : fmt::format("Known are {}.", fmt::join(file.gaps, ", ")));
  }
  // A prompt that leaves out what earlier stages found would ask about nothing.
  for (const std::string_view gap : {"object", "observation", "candidates", "pairs"}) {
    if (std::ranges::find(file.gaps, gap) == file.gaps.end()) continue;
    if (text.find(fmt::format("{{{}}}", gap)) != std::string::npos) continue;
    return unusable(place, fmt::format("it lacks the gap '{{{}}}'", gap),
                    "Without it the question would not say what is asked about.");
  }
  return {};
}

Result<void> check_names(const std::string& folder, const std::vector<PromptFile>& files) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) {
    return fail({.kind = ErrorKind::kNotFound,
                 .what = "cannot read the folder of prompts",
                 .input = folder,
                 .why = error.message()});
  }
  std::vector<std::string> known;
  for (const PromptFile& file : files) known.push_back(file.name);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    if (!name.ends_with(".txt") || std::ranges::find(known, name) != known.end()) continue;
    const auto meant = did_you_mean(name, known);
    return unusable(entries->path().string(), "no prompt has this name",
                    meant ? fmt::format("Did you mean '{}'?", *meant)
                          : fmt::format("Known are {}.", fmt::join(known, ", ")));
  }
  return {};
}

std::string filled(std::string_view text, const Gaps& gaps) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    if (open == std::string_view::npos) return out.append(text.substr(at));
    out.append(text.substr(at, open - at));
    const std::string_view gap = gap_at(text, open);
    const auto value = gaps.find(gap);
    if (gap.empty()) out += '{';
    if (value != gaps.end()) out += value->second;
    at = open + (gap.empty() ? 1 : gap.size() + 2);
  }
  return out;
}

}  // namespace

Result<StagePrompts> StagePrompts::open(const std::string& own_folder, ReplyStyle style) {
  StagePrompts prompts;
  prompts.style_ = style;
  const std::vector<PromptFile> files = all_files();
  if (!own_folder.empty()) AWRY_TRY(check_names(own_folder, files));
  for (const PromptFile& file : files) {
    const fs::path own = fs::path(own_folder) / file.name;
    std::error_code error;
    std::string text;
    const bool is_own = !own_folder.empty() && fs::exists(own, error);
    if (is_own) {
      AWRY_TRY_ASSIGN(text, read_file(own));
    } else if (const auto ours = embedded_file("prompts/" + file.name)) {
      text = *ours;
    } else {
      return fail({.kind = ErrorKind::kNotFound, .what = "there is no prompt", .input = file.name});
    }
    text = trim(text);
    AWRY_TRY(check_gaps(text, file, is_own ? own.string() : file.name));
    prompts.texts_[file.name] = std::move(text);
  }
  return prompts;
}

std::size_t StagePrompts::wordings(Stage stage) const {
  return stage == Stage::kPerceive ? kPerceiverWordings : 1;
}

const std::string& StagePrompts::form_of(Stage stage) const {
  return texts_.find(form_file(traits_of(stage).form, style_))->second;
}

std::string StagePrompts::fill(Stage stage, Gaps gaps, std::size_t wording) const {
  gaps["form"] = form_of(stage);
  return filled(texts_.find(prompt_file(stage, wording))->second, gaps);
}

std::string StagePrompts::fill_reask(Stage stage, const std::string& complaint) const {
  return filled(texts_.find("reask.txt")->second, {{"complaint", complaint}, {"form", form_of(stage)}});
}

bool StagePrompts::asks_for_json(Stage stage) const {
  return style_ == ReplyStyle::kJson && has_json_form(traits_of(stage).form);
}

std::string StagePrompts::hash() const {
  FieldHasher hasher;
  for (const auto& [name, text] : texts_) hasher.add(name).add(text);
  return hasher.hex();
}

}  // namespace awry::agents
