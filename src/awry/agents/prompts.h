// SPDX-License-Identifier: Apache-2.0
// The wording of the stages: ours, carried in the binary, or the user's own from a folder.
//
// A file of that folder replaces ours of the same name ("analyse.verify.txt", "form.final.txt"). Everything
// is read and checked when the prompts are opened, so that no run fails half-way over a misspelt gap.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "awry/agents/stage.h"
#include "awry/base/gaps.h"
#include "awry/base/result.h"

namespace awry::agents {

enum class ReplyStyle { kPlain, kJson };  // which of the two wordings of a form is asked for

class StagePrompts {
 public:
  static Result<StagePrompts> open(const std::string& own_folder = "", ReplyStyle style = ReplyStyle::kPlain);

  // The perceiver has several wordings, taken in turn; the other stages have one.
  std::size_t wordings(Stage stage) const;
  std::string fill(Stage stage, Gaps gaps, std::size_t wording = 0) const;
  // The next turn after a reply that could not be read.
  std::string fill_reask(Stage stage, const std::string& complaint) const;

  ReplyStyle style() const { return style_; }
  // True where the form asked for is JSON, so that the endpoint may be told.
  bool asks_for_json(Stage stage) const;
  std::string hash() const;  // of every text as used

 private:
  const std::string& form_of(Stage stage) const;

  ReplyStyle style_ = ReplyStyle::kPlain;
  std::map<std::string, std::string, std::less<>> texts_;  // by file name
};

}  // namespace awry::agents
