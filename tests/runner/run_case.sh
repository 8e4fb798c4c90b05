#!/bin/bash
# run_case.sh CASE AWRY SCRIPTED_SERVER: one story of `awry run` against a scripted endpoint.
set -euo pipefail
awry=$(realpath "$2") server=$(realpath "$3")
work=$(mktemp -d /tmp/awry-runner-XXXXXX)
cd "$work"
trap 'exec 7>&- 2>/dev/null; rm -rf "$work"' EXIT
unset OPENAI_BASE_URL OPENAI_API_BASE OPENAI_API_URL
export OPENAI_API_KEY=sk-secret-1234567890abcdef NO_COLOR=1

fail() { echo "failed: $*" >&2; exit 1; }

# Serves until stop_server, which leaves the number of requests in $requests.
start_server() {  # SCRIPT
  mkfifo server.in
  "$server" "$1" <server.in >server.out &
  server_pid=$!
  exec 7>server.in
  until [[ -s server.out ]]; do sleep 0.01; done
  OPENAI_BASE_URL=$(head -n 1 server.out)
  export OPENAI_BASE_URL
}
stop_server() {
  exec 7>&-
  wait "$server_pid"
  requests=$(tail -n 1 server.out | sed -E 's/.*"requests": ([0-9]+).*/\1/')
  rm server.in
}
run() {  # further options; the exit code in $code, stderr in err
  code=0
  "$awry" run themis data --model openai:scripted "$@" >out 2>err || code=$?
}
stored() { grep -c '"prompt_sha256"' "$1/replies.jsonl"; }

"$awry" forge themis -o data -n 12 --side 128 --any-quality -q >/dev/null

case $1 in
  resume)  # killed half-way, it goes on: what was stored is not asked again
    start_server "slow:150:<answer>A</answer>"
    "$awry" run themis data --model openai:scripted --concurrency 2 -q >out 2>err &
    pid=$!
    sleep 0.6
    kill -9 $pid
    wait $pid 2>/dev/null || true
    run
    [[ $code == 0 || $code == 3 ]] || fail "exit code $code: $(cat err)"
    stop_server
    questions=$(stored runs/latest)
    ((requests > questions - 1)) || fail "$requests requests for $questions questions"
    ((requests <= questions + 3)) || fail "$requests requests for $questions questions: some were paid twice"
    grep -q "known from earlier" err || fail "$(cat err)"
    ;;
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
  *) fail "unknown case $1" ;;
esac
