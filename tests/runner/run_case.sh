#!/bin/bash
# run_case.sh CASE AWRY SCRIPTED_SERVER: one story of `awry run` against a scripted endpoint.
set -eEuo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripted_server.sh"
awry=$(realpath "$2") server=$(realpath "$3")
work=$(mktemp -d /tmp/awry-runner-XXXXXX)
cd "$work"
trap 'exec 7>&- 2>/dev/null; rm -rf "$work"' EXIT
unset OPENAI_BASE_URL OPENAI_API_BASE OPENAI_API_URL
export OPENAI_API_KEY=sk-secret-1234567890abcdef NO_COLOR=1

fail() { echo "failed: $*" >&2; exit 1; }
trap 'echo "failed in line $LINENO: $BASH_COMMAND" >&2' ERR

# A small set for each protocol, in data.PROTOCOL; made from what is forged for themis.
make_data() {  # PROTOCOL
  local images
  mapfile -t images < <(find data -name '*.png' ! -name '*mask*' | sort | head -n 4)
  mkdir -p "data.$1"
  local i
  for i in 0 1 2 3; do cp "${images[$i]}" "data.$1/$i.png"; done
  case $1 in
    themis) cp -r data/. data.themis/ ;;
    cave)
      for i in 0 1 2 3; do
        echo "{\"id\": \"$i\", \"image\": \"$i.png\", \"anomalies\": [{\"description\": \"a clock runs backwards\", \"explanation\": \"clocks run forwards\", \"category\": \"Entity Attribute\"}]}"
      done > data.cave/annotations.jsonl ;;
    anomreason)
      mkdir data.anomreason/{1_fake,0_real}
      mv data.anomreason/[01].png data.anomreason/1_fake
      mv data.anomreason/[23].png data.anomreason/0_real
      echo '{"1_fake/0.png": [{"Name": "cup", "Observed Phenomenon": "it floats", "Reasoning": "gravity", "Severity Score": "10/100"}], "1_fake/1.png": [], "0_real/2.png": [], "0_real/3.png": []}' > data.anomreason/annotations.json ;;
    magicmirror)
      for i in 0 1 2 3; do
        echo "{\"id\": \"$i\", \"images\": [\"$i.png\"], \"ground_truth\": {\"Whether Normal\": true}}"
      done > data.magicmirror/rows_vllm.jsonl ;;
  esac
}
# What is asked beside the protocol's name, and of whom.
options_of() {  # PROTOCOL
  case $1 in
    cave) echo "--option tasks=ad,ae --option resamples=100 --judge openai:eye" ;;
    anomreason) echo "--option task=deepfake --option similarity=lexical" ;;
    magicmirror) echo "--option consistency=true --judge openai:eye" ;;
  esac
}

run() {  # further options; the exit code in $code, stderr in err
  code=0
  "$awry" run themis data --model openai:scripted "$@" >out 2>err || code=$?
}
stored() { grep -c '"prompt_sha256"' "$1/replies.jsonl"; }

"$awry" forge themis -o data -n 12 --side 128 --any-quality -q >/dev/null

case $1 in
  budget)  # stops with exit code 5 and says how to go on
    start_server "answer:<answer>A</answer>"
    run --max-calls 4
    [[ $code == 5 ]] || fail "exit code $code: $(cat err)"
    again=$(grep -E '^  awry run' err) || fail "no command to go on: $(cat err)"
    [[ $again == *"--max-calls 8"* ]] || fail "$again"
    run --max-calls 1000
    [[ $code == 0 || $code == 3 ]] || fail "exit code $code: $(cat err)"
    stop_server
    ((requests == $(stored runs/latest))) || fail "$requests requests for $(stored runs/latest) questions"
    ;;
  replay)  # without a server, the same bytes
    start_server "answer:<answer>A</answer>"
    run
    stop_server
    cp -rL runs/latest first
    "$awry" run themis data --model replay:first --runs elsewhere -q >out || true
    for file in report.html scores.json samples.jsonl; do
      cmp "first/$file" "elsewhere/latest/$file" || fail "$file differs"
    done
    ;;
  faults)  # three in ten requests break; every question ends with a reply or a typed failure
    start_server "faulty:<answer>A</answer>"
    run --timeout 1 --retries 12
    [[ $code == 0 || $code == 3 ]] || fail "exit code $code: $(cat err)"
    stop_server
    (($(stored runs/latest) > 0)) || fail "nothing was recorded"
    ;;
  key)  # an endpoint that quotes the key does not get it printed or stored
    start_server echo-key
    run
    stop_server
    ! grep -rqa "$OPENAI_API_KEY" out err runs || fail "the key leaked: $(grep -rla "$OPENAI_API_KEY" out err runs)"
    grep -q "401" err || fail "$(cat err)"
    ;;
  cost)  # money runs out: exit code 5 and a command; that command, run as often as it takes, ends the run
    echo '{"models": {"scripted": {"input": 100, "output": 100}}}' > prices.json
    start_server "answer:<answer>A</answer>" notes
    run --max-cost 0.12 --price-file prices.json --header "X-Team: cats and dogs"
    [[ $code == 5 ]] || fail "exit code $code: $(cat err)"
    ((requests = $(wc -l < notes), requests >= 1 && requests <= 28)) || fail "$requests questions at a cent each"
    grep -q "Give --header again" err || fail "a header may be secret, and nobody says that it is left out: $(cat err)"
    rounds=0
    while [[ $code == 5 ]] && ((++rounds < 10)); do
      again=$(grep -E '^  awry run' err) || fail "no command to go on: $(cat err)"
      code=0
      eval "\"$awry\" ${again#  awry }" --header "'X-Team: cats and dogs'" >out 2>err || code=$?
    done
    [[ $code == 0 || $code == 3 ]] && ((rounds >= 1)) || fail "exit code $code: $(cat err)"
    stop_server
    ((requests == $(stored runs/latest))) || fail "$requests requests for $(stored runs/latest) questions"
    (($(grep -c '"x-team": *"cats and dogs"' notes) == requests)) || fail "the header is not in $(head -n 1 notes)"
    ;;
  batch)  # requests go into files, results come back last first
    run --model batch:scripted
    grep -q "runs/batch/results" err || fail "exit code $code, and nobody says where results go: $(cat out err)"
    sed -E 's/^\{"custom_id": ?"([^"]*)".*/\1/' runs/batch/requests-*.jsonl | tac > keys
    questions=$(wc -l < keys)
    ((questions > 0)) || fail "no requests"
    while read -r key; do
      echo "{\"id\": \"b\", \"custom_id\": \"$key\", \"response\": {\"status_code\": 200, \"body\": {\"model\": \"scripted-2026\", \"choices\": [{\"index\": 0, \"message\": {\"role\": \"assistant\", \"content\": \"<answer>A</answer>\"}, \"finish_reason\": \"stop\"}], \"usage\": {\"prompt_tokens\": 9, \"completion_tokens\": 3}}}, \"error\": null}"
    done < keys > answers
    split -n l/2 --additional-suffix .jsonl answers runs/batch/results/part-
    run --model batch:scripted
    [[ $code == 0 || $code == 3 ]] || fail "exit code $code: $(cat err)"
    (($(stored runs/latest) == questions)) || fail "$(stored runs/latest) replies for $questions requests"
    ;;
  spellings)  # the endpoint, however its address is spelt
    start_server "answer:Red." notes
    url=$OPENAI_BASE_URL
    unset OPENAI_BASE_URL
    for setting in OPENAI_BASE_URL="$url/" OPENAI_BASE_URL="${url%/v1}" OPENAI_API_BASE="$url/chat/completions" \
                   OPENAI_API_URL="$url/chat/completions/"; do
      env "$setting" "$awry" doctor --model openai:scripted >out 2>err || fail "$setting: $(cat out err)"
      grep -q "2048 x 256" out || fail "$setting: $(cat out)"
    done
    stop_server
    (($(grep -c '"path": *"/v1/chat/completions"' notes) == 4)) || fail "$(cat notes)"
    ;;
  kills)  # killed twenty times while it asks: what was stored at a kill is never asked again
    "$awry" forge themis -o many -n 100 --side 128 --any-quality -q >/dev/null
    ask_many() { "$awry" run themis many --model openai:scripted "$@"; }
    known() { ask_many --dry-run --json -o estimate.json -q && sed -nE 's/.*"known": *([0-9]+).*/\1/p' estimate.json; }
    start_server "slow:200:<answer>A</answer>" notes
    touch notes
    landed=0 lines=(0) stored_then=(0)
    for ((round = 0; landed < 20 && round < 60; ++round)); do
      before=$(wc -l < notes)
      "$awry" run themis many --model openai:scripted --concurrency 2 -q >out 2>err &
      kill_after_requests $((before + 3 + RANDOM % 4)) $! || fail "it ended before kill $((landed + 1)): $(cat err)"
      sleep 0.1  # what was under way arrives
      landed=$((landed + 1)) lines+=("$(wc -l < notes)") stored_then+=("$(known)")
    done
    ask_many --concurrency 64 -q >out 2>err || [[ $? == 3 ]] || fail "$(cat err)"
    stop_server
    asked_from() { tail -n +$(($1 + 1)) notes | sed -E 's/.*"body": *"([0-9a-f]+)".*/\1/' | sort -u | wc -l; }
    questions=$(asked_from 0)
    ((questions == $(stored runs/latest))) || fail "$questions different requests"
    ((stored_then[landed] > 10 && stored_then[landed] < questions)) || fail "stored: ${stored_then[*]}"
    for ((i = 1; i <= landed; ++i)); do
      (($(asked_from "${lines[$i]}") == questions - stored_then[i])) ||
        fail "after kill $i $(asked_from "${lines[$i]}") were asked, ${stored_then[$i]} of $questions were stored"
    done
    ((requests <= questions + 2 * landed)) || fail "$requests requests for $questions questions and $landed kills"
    echo "$landed kills, $requests requests for $questions questions; stored: ${stored_then[*]}"
    ;;
  cave)  # every way of asking that the paper has, and the cultural check
    make_data cave
    start_server protocols
    for way in vanilla cot multi-step multi-turn consistency; do
      "$awry" run cave data.cave --model openai:scripted --judge openai:eye --option prompt=$way --option tasks=ad \
        --option resamples=0 --json >$way.json 2>err || fail "$way: $(cat err)"
      grep -q '"recall"' $way.json || fail "$way: $(cat $way.json)"
    done
    "$awry" run cave data.cave --model openai:scripted --option tasks=culture --json >culture.json 2>err || fail "$(cat err)"
    stop_server
    grep -q culture culture.json || fail "$(cat culture.json)"
    code=0
    "$awry" run cave data.cave --model openai:scripted --option prompt=chain-of-thought >out 2>err || code=$?
    [[ $code == 2 ]] && grep -q "vanilla, cot, som" err || fail "exit code $code: $(cat err)"
    "$awry" help run | grep -q "Switches of cave" || fail "help does not list the switches"
    ;;
  protocol-*)  # stopped by a budget, killed half-way, taken up, replayed: each protocol to the same report
    protocol=${1#protocol-}
    make_data "$protocol"
    read -ra extra <<< "$(options_of "$protocol")"
    ask() {
      code=0
      "$awry" run "$protocol" "data.$protocol" --model openai:scripted "${extra[@]}" "$@" >out 2>err || code=$?
    }
    start_server protocols:40 notes
    ask --max-calls 2
    [[ $code == 5 ]] || fail "exit code $code: $(cat err)"
    grep -q -- "--max-calls 4" err || fail "$(cat err)"
    "$awry" run "$protocol" "data.$protocol" --model openai:scripted "${extra[@]}" --concurrency 1 -q >out 2>err &
    kill_after_requests 5 $! || true
    ask
    [[ $code == 0 ]] || fail "exit code $code: $(cat out err)"
    stop_server
    questions=$(stored runs/latest)
    ((questions >= 4)) || fail "only $questions questions"
    grep -q "[1-9][0-9]* known from earlier" err || fail "nothing was taken up: $(cat err)"
    ((requests <= questions + 3)) || fail "$requests requests for $questions questions: some were paid twice"
    grep -q '"judged_by"' runs/latest/manifest.json || [[ -z ${extra[*]} || ${extra[*]} != *judge* ]] ||
      fail "the manifest does not say who judged"
    cp -rL runs/latest first
    read -ra extra <<< "$(options_of "$protocol" | sed 's/--judge .*//')"
    "$awry" run "$protocol" "data.$protocol" --model replay:first "${extra[@]}" --runs elsewhere -q >out 2>err || fail "$(cat err)"
    for file in report.html scores.json samples.jsonl replies.jsonl; do
      cmp "first/$file" "elsewhere/latest/$file" || fail "$file differs"
    done
    ;;
  rejudge)  # another judge reads the stored answers; comparing asks for consent
    make_data cave
    start_server protocols
    "$awry" run cave data.cave --model openai:scripted --judge openai:eye --option tasks=ad -q >out 2>err || fail "$(cat err)"
    stop_server
    start_server "judge:No."
    "$awry" rejudge latest --judge openai:other >out 2>err || fail "$(cat err)"
    stop_server
    ((requests == 4)) || fail "$requests requests for four answers"
    judged=$(basename runs/*-cave-openai-scripted)
    grep -q "awry rejudge $judged --judge openai:other" runs/latest/report.html || fail "the page says to judge another run"
    grep -q "openai:other, answered as othereye-2026" runs/latest/report.html || fail "the page does not name the judge"
    code=0
    "$awry" compare latest~1 latest >out 2>err || code=$?
    [[ $code == 2 ]] && grep -q -- "--different-judges" err || fail "exit code $code: $(cat err)"
    "$awry" compare latest~1 latest --different-judges >out 2>err || fail "$(cat err)"
    grep -q "lower is better" out || fail "$(cat out)"
    ;;
  prompts)  # worded by a model within a budget, then to the end, and never twice
    start_server protocols
    write() {
      code=0
      "$awry" bench prompts --count 2 --model openai:writer -o prompts.jsonl "$@" >out 2>err || code=$?
    }
    write --max-calls 3
    [[ $code == 5 ]] || fail "exit code $code: $(cat err)"
    [[ ! -e prompts.jsonl ]] || fail "half a file of prompts"
    write
    [[ $code == 0 ]] || fail "exit code $code: $(cat err)"
    write
    [[ $code == 0 ]] || fail "exit code $code: $(cat err)"
    stop_server
    ((requests == 16)) || fail "$requests requests for two prompts in each of eight classes"
    (($(grep -c '"prompt_t2i": *"A photograph of .* in soft light."' prompts.jsonl) == 16)) || fail "$(cat prompts.jsonl)"
    ;;
  images)  # pictures for MagicBench, asked for once, then assessed
    "$awry" bench prompts --count 1 -q --output prompts.jsonl
    for kind in images image-urls; do
      start_server $kind
      code=0
      "$awry" bench images prompts.jsonl --model openai:painter -o $kind --max-calls 3 >out 2>err || code=$?
      [[ $code == 5 ]] || fail "exit code $code: $(cat err)"
      "$awry" bench images prompts.jsonl --model openai:painter -o $kind >out 2>err || fail "$(cat err)"
      stop_server
      (($(wc -l < $kind/rows.jsonl) == 8)) || fail "$(cat $kind/rows.jsonl)"
      ! grep -rqa "$OPENAI_API_KEY" out err $kind || fail "the key leaked"
    done
    ((requests == 16)) || fail "$requests requests for eight pictures and their files"
    start_server protocols
    "$awry" run magicbench images/rows.jsonl --model openai:scripted -q >out 2>err || fail "$(cat err)"
    stop_server
    ;;
  doctor)  # one call tells whether the model sees and takes long pictures
    start_server "answer:Red."
    "$awry" doctor --model openai:scripted >out 2>err || fail "$(cat out err)"
    stop_server
    ((requests == 1)) || fail "$requests calls"
    grep -q "2048 x 256" out || fail "$(cat out)"
    ;;
  sweep)  # clean images and two levels: the second time nothing is asked
    start_server protocols
    "$awry" run themis data --model openai:scripted --perturb-sweep jpeg:70,30 -q >out 2>err || fail "$(cat err)"
    "$awry" run themis data --model openai:scripted --perturb-sweep jpeg:70,30 >out 2>err || fail "$(cat err)"
    stop_server
    ((requests == 3 * $(stored runs/latest))) || fail "$requests requests"
    page=$(sed -n 's/^Curves: //p' err)
    grep -q "<path" "$page" || fail "no curve in '$page'"
    ls "$(dirname "$page")"/*.svg >/dev/null || fail "no SVG files"
    ;;
  *) fail "unknown case $1" ;;
esac
