// SPDX-License-Identifier: Apache-2.0
#include "awry/base/result.h"

namespace awry {

std::string Error::message() const {
  std::string text = what;
  if (!input.empty()) text += " '" + input + "'";
  if (!why.empty()) text += ": " + why;
  if (!hint.empty()) {
    if (!text.empty() && text.back() != '.') text += '.';
    text += " " + hint;
  }
  return text;
}

}  // namespace awry
