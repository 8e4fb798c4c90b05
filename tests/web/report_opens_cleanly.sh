#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: report_opens_cleanly.sh PROGRAM
# PROGRAM writes report.html into a folder; a real browser opens it. Anything on the console is a failure:
# the page's policy turns every attempt to reach the network into a console error.
set -euo pipefail

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [[ -z $browser ]]; then
  echo "SKIPPED: no chromium here, so the report was not opened"
  exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder"

fail() {
  echo "FAILED: $1" >&2
  cat "$folder/log" >&2
  exit 1
}

# open FRAGMENT: leaves the page as the browser sees it in $folder/dom
open() {
  "$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$folder/profile" \
    --virtual-time-budget=3000 --enable-logging=stderr --v=0 \
    --dump-dom "file://$folder/report.html$1" >"$folder/dom" 2>"$folder/log" || fail "the browser ended with $?"
  ! grep -q 'CONSOLE' "$folder/log" || fail "the console is not empty"
  grep -q 'data-ready="yes"' "$folder/dom" || fail "the script did not run to its end"
  ! grep -q '<title>PWNED' "$folder/dom" || fail "text from the data ran as a script"
}

shows() { grep -q "$1 of 6 shown" "$folder/dom" || fail "'$2' should leave $1 samples"; }

open ""
shows 6 "no filter"
open "#outcome=refused"
shows 1 "outcome=refused"
open "#mark=wrong"
shows 1 "mark=wrong"
open "#text=PAIR-003"
shows 1 "text=PAIR-003"
open "#outcome=refused&text=blot-001"
shows 0 "outcome=refused&text=blot-001"
echo "the report opens cleanly and its filters work"
