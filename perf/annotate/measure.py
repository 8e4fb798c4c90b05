#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: how busy the annotator keeps an endpoint. Fails when a target is missed."""
import json
import os
import subprocess
import sys
from pathlib import Path

IMAGES, OBJECTS, DRAFTS, ALLOWED = 1000, 8, 3, 16
program = Path(sys.argv[1]) / "measure_annotate"
print("annotate: 1,000 images of 8 objects, a server that takes 20 ms; server and client share this machine")
m = json.loads(subprocess.run([program, str(IMAGES), str(ALLOWED)], check=True, stdout=subprocess.PIPE, text=True).stdout)
expected = IMAGES * (DRAFTS + 6 * OBJECTS + 1)
right = m["requests"] == expected and m["objects"] == IMAGES * OBJECTS and m["failed"] == 0
met = m["share"] >= 0.95 and right
busy = os.getloadavg()[0]
print(f"  {'ok  ' if met else 'MISS'} {m['in_flight']:.2f} of {ALLOWED} allowed requests in flight, share "
      f"{m['share']:.3f} (at least 0.95); {m['requests']} requests (T + 6 N + 1 an image: {expected}) in "
      f"{m['seconds']:.0f} s, {m['requests_per_second']:.0f}/s")
print(f"       a client that is handed ready questions keeps {m['bare_share']:.3f}; load of this machine "
      f"{busy:.1f} on {os.cpu_count()} cores")
sys.exit(0 if met else 1)
