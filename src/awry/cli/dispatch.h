// SPDX-License-Identifier: Apache-2.0
// From the words of the command line to a command that has run.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "awry/base/cancel.h"
#include "awry/cli/command.h"
#include "awry/cli/environment.h"
#include "awry/cli/writer.h"

namespace awry::cli {

// All that awry sees of its surroundings, so that tests can give it others.
struct Surroundings {
  std::vector<std::string> words;  // without the program's name
  Environment environment;
  std::filesystem::path working_folder;  // empty: it was removed under us
  Writer& out;
  Writer& err;
  CancelToken& cancel;
  bool out_is_terminal = false, err_is_terminal = false;
};

// The exit code, or the error that main prints. Help never reads configuration, so it always answers.
Result<int> dispatch(Surroundings surroundings, std::span<const Command> commands);

}  // namespace awry::cli
