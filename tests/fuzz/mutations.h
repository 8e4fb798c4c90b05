// SPDX-License-Identifier: Apache-2.0
// Fixed mutations of a corpus: what libFuzzer would try first, the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace awry::fuzz {

// The index-th mutation: a seed that is cut, flipped, spliced with another, or has an awkward token put in.
std::string mutation(std::span<const std::string> seeds, std::uint64_t index);

}  // namespace awry::fuzz
