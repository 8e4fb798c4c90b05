#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: report_opens.sh AWRY
# The report of a demo opens in a real browser without a word on the console.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -z $browser ]]; then
  echo "SKIPPED: no chromium here, so the report was not opened"
  exit 77
fi
awry=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$awry" demo --runs "$folder/runs" --seed 2 -q >/dev/null
"$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --user-data-dir="$folder/profile" --virtual-time-budget=3000 \
  --enable-logging=stderr --v=0 --dump-dom "file://$folder/runs/latest/report.html" >"$folder/dom" 2>"$folder/log"
if grep 'CONSOLE' "$folder/log"; then
  echo "FAILED: the console is not empty"
  exit 1
fi
grep -q 'data-ready="yes"' "$folder/dom" || { echo "FAILED: the script did not run to its end"; exit 1; }
