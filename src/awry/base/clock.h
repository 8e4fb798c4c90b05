// SPDX-License-Identifier: Apache-2.0
// The time of day, in UTC. SOURCE_DATE_EPOCH fixes it, so that reports can be rebuilt byte for byte.
#pragma once

#include <string>

namespace awry {

std::string utc_timestamp();     // 2026-03-01T12:30:05Z
std::string utc_folder_stamp();  // 20260301T123005Z

}  // namespace awry
