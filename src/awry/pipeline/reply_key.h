// SPDX-License-Identifier: Apache-2.0
// What makes a stored reply belong to a question: the bytes of its images, the whole conversation, who is
// asked with which parameters, and which repetition it is. An edited image never gets an old answer.
#pragma once

#include <string>

#include "awry/pipeline/models.h"

namespace awry::pipeline {

// `reask` counts how often an unparsable reply has been asked for again. Images must have been hashed.
std::string reply_key(const Model& model, const Sample& sample, const Question& question, int reask = 0);

}  // namespace awry::pipeline
