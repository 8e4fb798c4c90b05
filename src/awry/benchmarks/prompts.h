// SPDX-License-Identifier: Apache-2.0
// Prompts: our wording, carried in the binary, or the user's own from the folder given as prompts=DIR.
//
// A file of that folder replaces ours of the same name ("smf_il.txt", "ad.judge.txt"); what is not there
// stays ours.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "awry/base/gaps.h"
#include "awry/base/prompt_folder.h"
#include "awry/base/result.h"
#include "awry/benchmarks/protocol.h"

namespace awry::benchmarks {

class Prompts {
 public:
  // `folder` is the protocol's ("themis"); `own` the user's, empty for none. It must exist, and each of its
  // .txt files must be named as some prompt is: a misspelt one would be passed over in silence.
  static Result<Prompts> open(std::string_view folder, const std::string& own);

  Result<std::string> text(const std::string& name) const;

  // Errors name the file: a gap that nothing is known for, and one of `needed` that the text lacks although
  // there is something to say in it.
  Result<std::string> fill(const std::string& name, const Gaps& gaps,
                           std::initializer_list<std::string_view> needed = {}) const;

 private:
  Prompts(std::string_view folder, std::string own) : folder_(folder), own_(std::move(own)) {}
  Result<FoundPrompt> find(const std::string& name) const;

  std::string folder_, own_;
};

// The prompt files of a protocol, by name; empty where nothing is asked.
std::span<const std::string_view> prompt_names(std::string_view protocol);

// Of all prompts as they would be used with these options: what a run records, so that two runs with
// different wording are never taken for the same. "" where nothing is asked.
Result<std::string> prompts_hash(const Protocol& protocol, const ProtocolOptions& options);

}  // namespace awry::benchmarks
