// SPDX-License-Identifier: Apache-2.0
// What awry's exit code says. Scripts and CI depend on these numbers; they never change meaning.
#pragma once

namespace awry::cli {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;    // the command line or a configuration file is wrong; nothing was done
inline constexpr int kExitPartial = 3;  // finished, but more samples failed than --fail-on-error allows
inline constexpr int kExitGate = 4;     // findings, or a score below the gate that was asked for
inline constexpr int kExitBudget =
    5;  // the budget of the whole run is used up; a higher one goes on from there
inline constexpr int kExitSignalBase = 128;  // + SIGINT = 130, + SIGTERM = 143; what was done is saved

}  // namespace awry::cli
