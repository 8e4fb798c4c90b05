// SPDX-License-Identifier: Apache-2.0
// What a running command is given besides its own options.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "awry/base/cancel.h"
#include "awry/base/progress.h"
#include "awry/cli/common_options.h"
#include "awry/cli/resolve.h"
#include "awry/cli/writer.h"

namespace awry::cli {

struct Command;

struct Context {
  Writer& out;  // data: what another program may read
  Writer& err;  // talk: errors, progress, advice
  CancelToken& cancel;
  std::filesystem::path working_folder;
  const Sources& sources;                    // environment and configuration files
  const OptionSet& settings;                 // this command's options, each with its origin
  std::span<const Command> commands;         // the whole table, for commands about commands
  std::optional<Error> configuration_error;  // only seen by commands that run in spite of one
  TalkOptions talk;
  bool out_is_terminal = false, err_is_terminal = false;

  // Silent with -q. What was written to stdout before comes first, also where both go to one file.
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) const {
    out.flush();
    if (!talk.quiet) err.write(fmt::format(format, std::forward<Args>(args)...) + "\n");
  }
  // Only with -v.
  template <class... Args>
  void say_more(fmt::format_string<Args...> format, Args&&... args) const {
    if (talk.verbose) say(format, std::forward<Args>(args)...);
  }
  ProgressOptions progress() const { return {.style = progress_style_for_stderr(talk.quiet)}; }
};

}  // namespace awry::cli
