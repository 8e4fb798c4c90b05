# Sourced by the stories that ask a server over HTTP; $server is its program.

# Serves until stop_server, which leaves the number of requests in $requests.
start_server() {  # the server's arguments
  rm -f server.out  # of an earlier one, whose address must not be taken for this one's
  mkfifo server.in
  "$server" "$@" <server.in >server.out &
  server_pid=$!
  exec 7>server.in
  until [[ -s server.out ]]; do
    kill -0 "$server_pid" 2>/dev/null || { echo "the server ended before it served" >&2; return 1; }
    sleep 0.01
  done
  OPENAI_BASE_URL=$(head -n 1 server.out)
  export OPENAI_BASE_URL
}
stop_server() {
  exec 7>&-
  wait "$server_pid"
  requests=$(tail -n 1 server.out | sed -E 's/.*"requests": ([0-9]+).*/\1/')
  rm server.in
}

# Ends a program the hard way once the server's file `notes` has that many lines; false if it was over before.
# By requests and not by the clock, so that a kill comes at the same point on every machine.
kill_after_requests() {  # LINES PID
  until (($(wc -l <notes) >= $1)) || ! kill -0 "$2" 2>/dev/null; do sleep 0.02; done
  local was_running=0
  kill -9 "$2" 2>/dev/null || was_running=1
  wait "$2" 2>/dev/null || true
  return $was_running
}
