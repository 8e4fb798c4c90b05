#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""review_keys.py AWRY RUNS: `awry review` on a real terminal. Fails when a decision is lost or the terminal is not
given back."""
import os
import pty
import select
import signal
import subprocess
import sys
import time

AWRY, RUNS = os.path.realpath(sys.argv[1]), sys.argv[2]


class Reviewer:
    def __init__(self, person):
        self.shown = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execv(AWRY, [AWRY, "review", "latest", "--runs", RUNS, "--by", person])

    def wait_for(self, words, times=1):
        end = time.monotonic() + 100
        while self.shown.count(words) < times:
            if time.monotonic() > end:
                sys.exit(f"never saw {times} times {words!r} in:\n{self.shown}")
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.terminal, 4096).decode(errors="replace")
                except OSError:
                    break

    def press(self, keys):
        """One key each time it is asked for."""
        asked = 0
        for key in keys:
            asked += 1
            self.wait_for("[q]uit", asked)
            os.write(self.terminal, key.encode())

    def end(self):
        try:
            while os.read(self.terminal, 4096):
                pass
        except OSError:
            pass
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def decisions(person):
    lines = subprocess.run([AWRY, "review", "export", "latest", "--runs", RUNS, "--format", "prodigy", "-q"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return [line.split('"answer":"')[1].split('"')[0] for line in lines.splitlines()
            if f'"{person}"' in line and '"answer":"' in line]


first = Reviewer("ann")
first.press("axzuq")  # the rejection is taken back
if first.end() != 0 or decisions("ann") != ["accept", "ignore"]:
    sys.exit(f"decided {decisions('ann')}:\n{first.shown}")

killed = Reviewer("bob")
killed.press("ax")
killed.wait_for("reject\r\n")
os.kill(killed.pid, signal.SIGKILL)
killed.end()
if decisions("bob") != ["accept", "reject"]:
    sys.exit(f"a kill left {decisions('bob')}:\n{killed.shown}")

again = Reviewer("bob")  # goes on at the third, and back into what was decided before
again.wait_for("3/")
again.press("za")
again.wait_for("you said: reject")
again.wait_for("[q]uit", 3)
os.write(again.terminal, b"\x03")
again.wait_for("decisions saved;")  # Ctrl-C ends it like q
if again.end() != 128 + signal.SIGINT or decisions("bob") != ["accept", "accept"]:
    sys.exit(f"after going back {decisions('bob')}:\n{again.shown}")
