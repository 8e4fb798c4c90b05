#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""review_keys.py AWRY RUNS: `awry review` on a real terminal. Fails when a decision is lost or the terminal is not
given back, and tells what the terminal showed."""
import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
import time

AWRY, RUNS = os.path.realpath(sys.argv[1]), sys.argv[2]
PATIENCE = 300  # seconds; only what hangs takes so long, however busy the machine


def owns_terminal():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C on it is a signal
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # whoever started this test may have blocked it


class Reviewer:
    """One person at a terminal of their own. This process keeps both ends of it open, so that nothing on its way is
    lost when awry ends."""

    def __init__(self, person):
        self.person, self.shown = person, ""
        self.keyboard, self.screen = os.openpty()
        self.modes = termios.tcgetattr(self.screen)
        self.awry = subprocess.Popen([AWRY, "review", "latest", "--runs", RUNS, "--by", person], stdin=self.screen,
                                     stdout=self.screen, stderr=self.screen, start_new_session=True,
                                     preexec_fn=owns_terminal)

    def look(self, seconds=0.0):
        """Takes in what is shown; false if that is nothing new."""
        if not select.select([self.keyboard], [], [], seconds)[0]:
            return False
        self.shown += os.read(self.keyboard, 4096).decode(errors="replace")
        return True

    def give_up(self, why):
        self.awry.kill()
        sys.exit(f"{self.person}: {why}. The terminal showed:\n{self.shown}")

    def wait_until(self, is_so, what):
        end = time.monotonic() + PATIENCE
        while not is_so():
            has_ended = self.awry.poll() is not None
            if self.look(0.05):
                continue
            if has_ended and not is_so():
                self.give_up(f"awry ended with {self.awry.returncode} and never {what}")
            if time.monotonic() > end:
                self.give_up(f"awry never {what}")

    def wait_for(self, words, times=1):
        self.wait_until(lambda: self.shown.count(words) >= times, f"showed {words!r} {times} times")

    def type(self, keys):
        os.write(self.keyboard, keys.encode())

    def press(self, keys):
        """One key each time it is asked for."""
        for asked, key in enumerate(keys, 1):
            self.wait_for("[q]uit", asked)
            self.type(key)

    def end(self, code):
        self.wait_until(lambda: self.awry.poll() is not None, "ended")
        while self.look():
            pass
        if self.awry.returncode != code:
            self.give_up(f"awry ended with {self.awry.returncode}, not {code}")
        if code >= 0 and termios.tcgetattr(self.screen) != self.modes:
            self.give_up("the terminal was not given back as it was")
        os.close(self.keyboard)
        os.close(self.screen)

    def has_decided(self, wanted):
        exported = subprocess.run([AWRY, "review", "export", "latest", "--runs", RUNS, "--format", "prodigy", "-q"],
                                  check=True, stdout=subprocess.PIPE, text=True).stdout
        decided = [line.split('"answer":"')[1].split('"')[0] for line in exported.splitlines()
                   if f'"_annotator_id":"{self.person}"' in line]
        if decided != wanted:
            self.give_up(f"decided {decided}, not {wanted}")


first = Reviewer("ann")
first.press("axzuq")  # the rejection is taken back
first.end(0)
first.has_decided(["accept", "ignore"])

killed = Reviewer("bob")
killed.press("ax")
killed.wait_for("reject\r\n")
killed.awry.kill()
killed.end(-signal.SIGKILL)
killed.has_decided(["accept", "reject"])

again = Reviewer("bob")  # goes on at the third, and back into what was decided before
again.wait_for("\r\n3/")
again.press("za")
again.wait_for("you said: reject")
again.wait_for("[q]uit", 3)
again.type("\x03")  # Ctrl-C ends it like q
again.end(128 + signal.SIGINT)
if "decisions saved;" not in again.shown:
    again.give_up("nobody said that the decisions are saved")
again.has_decided(["accept", "accept"])
