// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace awry::cli {

std::string_view version();   // "0.1.0", from the CMake project
std::string_view compiler();  // "g++ 12.2.0"

}  // namespace awry::cli
