// SPDX-License-Identifier: Apache-2.0
#include "awry/cli/version.h"

namespace awry::cli {

std::string_view version() {
  return AWRY_VERSION;
}

std::string_view compiler() {
#if defined(__clang__)
  return __VERSION__;  // already begins with its name
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace awry::cli
