#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: killed_half_way.sh AWRY
# A demo that is killed again and again, each time a little later, must end with the scores of one that was
# left alone, and must not answer again what it had already answered.
set -euo pipefail
awry=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$awry" demo --runs calm --seed 5 -q >calm.txt

kills=0
for wait in 0.2 0.5 1 2 4; do
  "$awry" demo --runs rough --seed 5 -q >/dev/null 2>&1 &
  pid=$!
  sleep "$wait"
  if kill -KILL "$pid" 2>/dev/null; then kills=$((kills + 1)); fi
  wait "$pid" 2>/dev/null || true
done
# The last time, once something has been answered, however slow the machine is.
"$awry" demo --runs rough --seed 5 >/dev/null 2>half.talk &
pid=$!
until grep -q 'asking forensics' half.talk || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
if kill -KILL "$pid" 2>/dev/null; then kills=$((kills + 1)); fi
wait "$pid" 2>/dev/null || true
"$awry" demo --runs rough --seed 5 >rough.txt 2>rough.talk

((kills >= 2)) || { echo "FAILED: the demo was too quick to be killed half-way ($kills kills)"; exit 1; }
cmp calm/latest/scores.json rough/latest/scores.json
cmp calm.txt rough.txt
diff -r calm/demo-panels-5 rough/demo-panels-5
# Killed at any moment, replies already stored are not asked for again.
grep -Eq '[1-9][0-9]* known from earlier runs' rough.talk || { cat rough.talk; echo "FAILED: nothing was resumed"; exit 1; }
echo "killed $kills times, the same scores"
