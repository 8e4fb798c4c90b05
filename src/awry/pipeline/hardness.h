// SPDX-License-Identifier: Apache-2.0
// Lets a model of the runner choose among forgeries: it is asked THEMIS's question about each candidate, as
// it would be in a run, and has found the forgery when its answer claims the right kind.
#pragma once

#include <string>

#include "awry/base/result.h"
#include "awry/forge/selection.h"
#include "awry/pipeline/models.h"

namespace awry::pipeline {

// `inspector` is "forensics" or "openai:NAME". An error of the endpoint ends the set, which can then go on;
// refusals and answers that cannot be read count as misses.
Result<forge::Selection> make_selection(forge::Keep keep, const std::string& inspector,
                                        const EndpointSettings& settings, int max_candidates = 12);

}  // namespace awry::pipeline
