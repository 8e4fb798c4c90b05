// SPDX-License-Identifier: Apache-2.0
// A reply as its protocol reads it. What no protocol can read is told apart once, here: a model that declines
// to answer is refused, everything else is unparsable.
#pragma once

#include "awry/benchmarks/protocol.h"

namespace awry::benchmarks {

Answer read_reply(const Protocol& protocol, const Sample& sample, const Question& question,
                  const Reply& reply);

}  // namespace awry::benchmarks
