// SPDX-License-Identifier: Apache-2.0
// A folder on the command line -> pictures to forge.
#pragma once

#include <filesystem>
#include <string>

#include "awry/cli/context.h"
#include "awry/cli/options.h"
#include "awry/forge/source_pool.h"

namespace awry::cli {

struct SourceOptions {
  std::string folder = "painted";
  std::filesystem::path masks;
  bool no_ocr = false;
  bool known = false;  // metadata remember what was read and recognised: nothing is looked for again
};
// --masks and --no-ocr; each command says in its own words what --sources is.
void declare_source_reading(SourceOptions& options, OptionSet& set);

// Reads what is written in the pictures, if tesseract is there. Says how many were left out, and why.
Result<forge::SourcePool> open_sources(const SourceOptions& options, int threads, Context& context);

}  // namespace awry::cli
