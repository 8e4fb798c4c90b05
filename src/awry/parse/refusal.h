// SPDX-License-Identifier: Apache-2.0
// Whether a reply without an answer in it declines to give one: "I'm sorry, but I can't help with that."
//
// Only asked about replies that could not be read: an answer that begins with an apology is an answer.
#pragma once

#include <string_view>

namespace awry::parse {

bool declines(std::string_view reply);

}  // namespace awry::parse
