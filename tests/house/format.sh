#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: format.sh SOURCE_FOLDER: every source file is as clang-format would write it.
set -euo pipefail
command -v clang-format >/dev/null || { echo "SKIPPED: no clang-format here"; exit 77; }
cd "$1"
find src tests perf \( -name '*.cc' -o -name '*.h' \) -print0 | xargs -0 -n 40 -P 2 clang-format --dry-run -Werror
