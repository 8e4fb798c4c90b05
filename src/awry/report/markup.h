// SPDX-License-Identifier: Apache-2.0
// The few ways in which text and numbers enter the page.
#pragma once

#include <string>
#include <string_view>

namespace awry::report {

// Inert anywhere in HTML, inside quoted attributes too: markup is escaped, broken UTF-8 repaired, control
// characters made visible.
std::string safe(std::string_view text);

// For people: three decimals, fewer for large numbers; "n/a" for what is not finite.
std::string shown_number(double value);
// For spreadsheets: every digit.
std::string exact_number(double value);

// "<span class="badge refused">refused</span>"
std::string badge(std::string_view text, std::string_view style);

// <details> that stays closed, or nothing when there is no content. `body` is markup, `title` text.
std::string folded(std::string_view title, std::string_view body);
std::string preformatted(std::string_view text);

std::string data_url(std::string_view mime_type, std::string_view bytes);

}  // namespace awry::report
