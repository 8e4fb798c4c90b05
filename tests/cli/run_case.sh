#!/bin/bash
# Runs golden cases: run_case.sh [--update] AWRY CASE_FOLDER...
#
# A case is a folder with
#   cmd              a bash script; `awry` is the program under test, the working directory is empty
#   files/           copied into the working directory beforehand (optional)
#   expected.stdout  what must be printed, byte for byte after the replacements below
#   expected.stderr  the same for stderr; without it nothing may be printed there
#   expected.code    the exit code; without it 0
#   normalise.sed    further replacements, applied to both outputs before comparing (optional)
#
# Replaced in both outputs:
#   <DIR>      the working directory of the case (also the folder of HOME and the XDG folders, <DIR>/../home)
#   <VERSION>  the version awry --version prints
#
# The environment holds nothing but PATH, HOME, XDG_*, TMPDIR, LANG=C.UTF-8, TZ=UTC, NO_COLOR=1 and
# SOURCE_DATE_EPOCH. --update writes the expected files instead of comparing.
set -u

update=no
if [[ ${1-} == --update ]]; then update=yes; shift; fi
awry=$(realpath "$1"); shift
version=$("$awry" --version | sed 's/^awry //')

run_case() {  # CASE_FOLDER
  local case_folder=${1%/} top code=0
  # Always equally long, since tables are as wide as the paths in them.
  top=$(mktemp -d /tmp/awry-case-XXXXXX) || return 1
  top=$(realpath "$top")
  mkdir "$top"/{work,home,bin,tmp}
  ln -s "$awry" "$top/bin/awry"
  [[ -d $case_folder/files ]] && cp -r "$case_folder/files/." "$top/work/"

  (cd "$top/work" && exec env -i PATH="$top/bin:/usr/bin:/bin" HOME="$top/home" \
      XDG_CONFIG_HOME="$top/home/config" XDG_CACHE_HOME="$top/home/cache" \
      XDG_STATE_HOME="$top/home/state" XDG_DATA_HOME="$top/home/data" TMPDIR="$top/tmp" \
      LANG=C.UTF-8 TZ=UTC NO_COLOR=1 SOURCE_DATE_EPOCH=1767225600 \
      bash "$case_folder/cmd" >"$top/raw.stdout" 2>"$top/raw.stderr" </dev/null) || code=$?

  local sed_file=/dev/null
  [[ -f $case_folder/normalise.sed ]] && sed_file=$case_folder/normalise.sed
  local stream
  for stream in stdout stderr; do
    sed -e "s|$top/work|<DIR>|g; s|$top|<DIR>/..|g; s|${version//./\\.}|<VERSION>|g" "$top/raw.$stream" |
      sed -E -f "$sed_file" >"$top/actual.$stream"
  done
  echo "$code" >"$top/actual.code"

  if [[ $update == yes ]]; then
    cp "$top/actual.stdout" "$case_folder/expected.stdout"
    rm -f "$case_folder"/expected.{stderr,code}
    [[ -s $top/actual.stderr ]] && cp "$top/actual.stderr" "$case_folder/expected.stderr"
    [[ $code != 0 ]] && cp "$top/actual.code" "$case_folder/expected.code"
    rm -rf "$top"
    return 0
  fi

  local failed=0
  echo 0 >"$top/default.code"
  : >"$top/default.stdout"
  : >"$top/default.stderr"
  local part expected
  for part in stdout stderr code; do
    expected=$case_folder/expected.$part
    [[ -f $expected ]] || expected=$top/default.$part
    diff -u --label "expected.$part" --label "actual.$part" "$expected" "$top/actual.$part" || failed=1
  done
  rm -rf "$top"
  return $failed
}

result=0
for folder in "$@"; do
  run_case "$(realpath "$folder")" || { echo "failed: $folder"; result=1; }
done
exit $result
