#!/bin/bash
# run_case.sh CASE AWRY STAGE_SERVER: one story of `awry annotate` and what follows from it.
set -eEuo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripted_server.sh"
awry=$(realpath "$2") server=$(realpath "$3") here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
work=$(mktemp -d /tmp/awry-annotate-XXXXXX)
cd "$work"
trap 'exec 7>&- 2>/dev/null; rm -rf "$work"' EXIT
unset OPENAI_BASE_URL OPENAI_API_BASE OPENAI_API_URL
export OPENAI_API_KEY=sk-test NO_COLOR=1 USER=tester

fail() { echo "failed: $*" >&2; exit 1; }
trap 'echo "failed in line $LINENO: $BASH_COMMAND" >&2' ERR

annotate() {  # RUNS, further options; the exit code in $code, stderr in err
  local runs=$1; shift
  code=0
  "$awry" annotate images --model openai:scripted --runs "$runs" --drafts 2 "$@" >out 2>err || code=$?
  [[ $code == 0 || $code == 3 || $code == 5 ]] || fail "exit code $code: $(cat err)"
}
stored() { python3 -c "import sqlite3; print(sqlite3.connect('$1/awry.db').execute('select count(distinct key) from replies').fetchone()[0])"; }
calls() { wc -l <"$1/latest/stages.jsonl"; }
same() {  # two runs folders
  local file
  for file in annotations.jsonl annotations.json stages.jsonl costs.json; do
    cmp "$1/latest/$file" "$2/latest/$file" || fail "$file differs between $1 and $2"
  done
}

case $1 in  # what takes longest for an image is shown with a few
  evidence | keys) count=4 ;;
  *) count=20 ;;
esac
"$awry" paint stained_micrograph -o painted -n $count --width 64 --height 64 -q >/dev/null
mkdir images
find painted -name '*.png' ! -name contact.png -exec cp {} images \;
[[ $(ls images | wc -l) == "$count" ]] || fail "$(ls images | wc -l) images"

case $1 in
  killed)  # three times half-way, the same bytes as a run that nobody disturbed; no reply is paid for twice
    start_server 0.3 0
    annotate whole
    stop_server
    undisturbed=$requests
    start_server 0.3 15 notes
    touch notes
    for kill in 1 2 3; do
      "$awry" annotate images --model openai:scripted --runs killed --drafts 2 --concurrency 6 -q >out 2>err &
      kill_after_requests $((kill * undisturbed / 4)) $! || fail "it was over before kill $kill"
      sleep 0.1  # what was under way arrives
      asked_then[$kill]=$(wc -l <notes) stored_then[$kill]=$(stored killed)
    done
    annotate killed --concurrency 6
    stop_server
    same whole killed
    # What was stored at a kill is never asked again: afterwards exactly the rest is.
    questions=$(sort -u notes | wc -l)
    ((questions == $(stored killed) && stored_then[3] > 0)) || fail "$questions questions, stored ${stored_then[*]}"
    for kill in 1 2 3; do
      after=$(tail -n +$((asked_then[kill] + 1)) notes | sort -u | wc -l)
      ((after == questions - stored_then[kill])) ||
        fail "after kill $kill $after were asked, ${stored_then[$kill]} of $questions were stored"
    done
    grep -q "[1-9][0-9]* known from earlier" err || fail "$(cat err)"
    # Every anomaly leads back to what was said about an object, and every call has its record.
    python3 - <<'PY' || fail "not every anomaly can be traced"
import json
records = {json.loads(line)["id"]: json.loads(line) for line in open("whole/latest/stages.jsonl")}
images = anomalies = missing = 0
for line in open("whole/latest/annotations.jsonl"):
    image = json.loads(line)
    images += 1
    missing += len(image["missing"])
    by_id = {c["id"]: c for c in image["candidates"]}
    for anomaly in image["anomalies"]:
        anomalies += 1
        assert anomaly["from"], anomaly
        todo, roots = list(anomaly["from"]), set()
        while todo:
            candidate = by_id[todo.pop()]
            todo += candidate["from"]
            if candidate["stage"] in ("analyse.verify", "relate.verify"):
                roots.add(candidate["id"])
        assert roots, anomaly
    for record in records.values():
        assert all(one in records for one in record["inputs"]), record["id"]
assert images == 20 and anomalies > 40 and missing > 0, (images, anomalies, missing)
PY
    ;;
  stages)  # another prompt or model for one stage repeats that stage alone; both forms of reply say the same
    start_server 0 0
    annotate runs
    stop_server
    all=$requests
    ((all <= $(calls runs))) || fail "$all requests for $(calls runs) calls"
    mkdir prompts
    printf 'Listed before:\n{candidates}\nThis image was examined thing by thing. {form}\n' >prompts/format.txt
    start_server 0 0
    annotate runs --prompts prompts
    stop_server
    ((requests == 20)) || fail "$requests requests after the formatter's prompt changed, not 20"
    start_server 0 0
    annotate runs --model-for integrate.state=openai:other
    stop_server
    ((requests < all / 3)) || fail "$requests of $all requests after the model of one stage changed"
    start_server 0 0
    annotate plain --replies plain
    stop_server
    cmp <(python3 -m json.tool runs/latest/annotations.json) <(python3 -m json.tool plain/latest/annotations.json) ||
      fail "plain replies and JSON lead to different anomalies"
    start_server -1 0
    annotate refused
    stop_server
    [[ $code == 0 ]] || fail "exit code $code where response_format is refused: $(cat err)"
    cmp runs/latest/annotations.json refused/latest/annotations.json || fail "without response_format others are found"
    # Scored against itself as truth, everything is found.
    cp runs/latest/annotations.json truth.json
    "$awry" score anomreason --truth truth.json --answers plain/latest/annotations.json --json >scores 2>err ||
      fail "$(cat err)"
    python3 - <<'PY' || fail "$(cat scores)"
import json
metrics = json.load(open("scores"))["metrics"]
values = [m["value"] for m in metrics if m["key"] == "sem_f1"]
assert values and min(values) > 0.999, metrics
PY
    ;;
  evidence)  # what detectors can test is tested, and what they cannot is said so
    start_server 0 0
    annotate runs --check-evidence
    stop_server
    grep -q '"evidence":"not testable"' runs/latest/annotations.jsonl || fail "no evidence was looked for: $(cat err)"
    grep -q '"evidence":"unsupported"\|"evidence":"supported"' runs/latest/annotations.jsonl || fail "nothing was tested"
    ;;
  keys)  # one key a decision, on a terminal
    start_server 0 0
    annotate runs
    stop_server
    /usr/bin/python3 "$here/review_keys.py" "$awry" runs || fail "keys on a terminal"
    ;;
  review)  # many decide, most win; only what is verified is exported; generators are audited
    start_server 0.2 0
    annotate runs
    stop_server
    count=$(python3 -c 'import json; print(sum(len(json.loads(l)["anomalies"]) for l in open("runs/latest/annotations.jsonl")))')
    printf 'a%.0s' $(seq "$count") | "$awry" review latest --by ann -q >/dev/null
    printf 'ax%.0s' $(seq "$count") | "$awry" review latest --by bob -q >/dev/null
    "$awry" review export latest --format prodigy -o prodigy.jsonl -q
    grep -q '"answer":"reject"' prodigy.jsonl || fail "no rejection was exported"
    "$awry" review export latest --format label-studio -o tasks.json -q
    python3 - <<'PY'
import json
tasks = json.load(open("tasks.json"))
for task in tasks:
    task["annotations"] = [a for a in task["annotations"] if a["completed_by"]["email"] == "bob"]
    for a in task["annotations"]:
        a["completed_by"] = 7
json.dump(tasks, open("back.json", "w"))
PY
    "$awry" review import latest back.json -q
    "$awry" review report latest --json -q >report.json
    "$awry" export latest -o sft -q
    "$awry" export latest -o everything --all -q
    python3 - "$count" <<'PY' || fail "$(cat report.json)"
import json, sys
count = int(sys.argv[1])
rows = {row["stage"]: row for row in json.load(open("report.json"))}
assert rows["format"]["items"] == count and rows["format"]["accepted"] == (count + 1) // 2, rows
listed = lambda name: sum(c["conversations"][1]["value"].count("Observed Phenomenon") for c in json.load(open(name)))
assert listed("sft/anomalies.json") == (count + 1) // 2
assert listed("everything/anomalies.json") == count
assert json.load(open("sft/dataset_info.json"))["anomalies"]["formatting"] == "sharegpt"
PY
    "$awry" audit latest -q >audit.txt || fail "the audit failed"
    grep -q images audit.txt || fail "$(cat audit.txt)"
    code=0; "$awry" audit latest --max-cap 0.01 --report audit.html -q >/dev/null || code=$?
    [[ $code == 4 ]] || fail "exit code $code of the gate"
    grep -q "<svg" audit.html || fail "no plots"
    "$awry" split images -o first.csv -q
    "$awry" split images -o second.csv -q
    cmp first.csv second.csv || fail "a split is not repeatable"
    ;;
  budget)  # stops with exit code 5 and goes on; a dry run asks nothing
    start_server 0 0
    "$awry" annotate images --model openai:scripted --dry-run -q >estimate || fail "no estimate"
    grep -q "all" estimate || fail "$(cat estimate)"
    annotate runs --max-calls 50
    [[ $code == 5 ]] || fail "exit code $code: $(cat err)"
    annotate runs --max-calls 100000
    [[ $code == 0 ]] || fail "exit code $code: $(cat err)"
    stop_server
    # Stages that see no image may ask the same of two images, and are then asked once.
    ((requests <= $(calls runs) && requests > $(calls runs) / 2)) || fail "$requests requests for $(calls runs) calls"
    ;;
  deepfake)  # a verdict, then anomalies of what is called generated; scored with accuracy, CSemAP and CSemF1
    mkdir images/1_fake images/0_real
    mv images/*00*.png images/1_fake
    mv images/*.png images/0_real
    start_server 0 0
    annotate runs --deepfake
    stop_server
    python3 - <<'PY'
import json
said = {entry["image"]: entry for entry in json.load(open("runs/latest/annotations.json"))}
assert len(said) == 20 and {entry["verdict"] for entry in said.values()} == {"real", "generated"}
assert all(not entry["anomalies"] for entry in said.values() if entry["verdict"] == "real")
json.dump({name: entry["anomalies"] or None for name, entry in said.items()}, open("truth.json", "w"))
right = sum(("1_fake" in name) == (entry["verdict"] == "generated") for name, entry in said.items())
json.dump(right / 20, open("right.json", "w"))
PY
    "$awry" score anomreason --truth truth.json --answers runs/latest/annotations.json --json >scores 2>err ||
      fail "$(cat err)"
    python3 - <<'PY' || fail "$(cat scores)"
import json
metrics = {metric["key"]: metric["value"] for metric in json.load(open("scores"))["metrics"]}
assert abs(metrics["accuracy"] - json.load(open("right.json"))) < 1e-9, metrics
assert abs(metrics["csem_f1"] - metrics["accuracy"]) < 1e-9  # the anomalies are all right, so verdicts decide
PY
    ;;
  *) fail "unknown case $1" ;;
esac
