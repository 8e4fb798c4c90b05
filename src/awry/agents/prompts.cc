// SPDX-License-Identifier: Apache-2.0
#include "awry/agents/prompts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "awry/base/hash.h"
#include "awry/base/prompt_folder.h"
#include "awry/base/text.h"

namespace awry::agents {

std::optional<std::string_view> embedded_file(std::string_view path);

namespace {

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

// A prompt that leaves out what earlier stages found would ask about nothing.
std::vector<std::string_view> needed_gaps(const PromptFile& file) {
  std::vector<std::string_view> needed;
  for (const std::string_view gap : {"object", "observation", "candidates", "pairs"}) {
    if (std::ranges::find(file.gaps, gap) != file.gaps.end()) needed.push_back(gap);
  }
  return needed;
}

}  // namespace

Result<StagePrompts> StagePrompts::open(const std::string& own_folder, ReplyStyle style) {
  StagePrompts prompts;
  prompts.style_ = style;
  const std::vector<PromptFile> files = all_files();
  if (!own_folder.empty()) {
    std::vector<std::string> names;
    for (const PromptFile& file : files) names.push_back(file.name);
    AWRY_TRY(check_prompt_names(own_folder, names));
  }
  for (const PromptFile& file : files) {
    AWRY_TRY_ASSIGN(FoundPrompt found,
                    find_prompt(own_folder, file.name, embedded_file("prompts/" + file.name)));
    found.text = std::string(trim(found.text));
    AWRY_TRY(check_gaps(found, file.gaps, needed_gaps(file)));
    prompts.texts_[file.name] = std::move(found.text);
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
  return fill_gaps(texts_.find(prompt_file(stage, wording))->second, gaps);
}

std::string StagePrompts::fill_reask(Stage stage, const std::string& complaint) const {
  return fill_gaps(texts_.find("reask.txt")->second, {{"complaint", complaint}, {"form", form_of(stage)}});
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
