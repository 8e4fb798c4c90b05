#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""measure.py PROGRAMS: the chat client against a scripted server over loopback. Fails when a target is missed."""
import json
import subprocess
import sys
from pathlib import Path

program = Path(sys.argv[1]) / "measure_vlm"
all_met = True


def measured(*subject):
    return json.loads(subprocess.run([program, *subject], check=True, stdout=subprocess.PIPE, text=True).stdout)


def tell(met, line):
    global all_met
    all_met &= met
    print(f"  {'ok  ' if met else 'MISS'} {line}")


print("vlm: the chat client; server and client share this machine")
m = measured("rate")
tell(m["requests_per_second"] >= 2000 and m["answered"] == m["asked"],
     f"{m['requests_per_second']:.0f} requests/s at 50 ms latency, 256 in flight (at least 2000)")
m = measured("pictures")
share = m["megabytes_per_second"] / m["plain_curl"]
tell(share >= 0.6, f"{m['megabytes_per_second']:.0f} MB/s with 1 MB images, plain libcurl {m['plain_curl']:.0f}, "
                   f"share {share:.2f} (at least 0.60)")
m = measured("memory")
tell(m["peak_mb"] <= 200 and m["peak_in_flight"] >= 900,
     f"{m['peak_mb']:.0f} MB with {m['peak_in_flight']} in flight, server included (at most 200)")
for limit in (5, 20, 200, 1000):
    m = measured("hidden_limit", str(limit))
    tell(m["share_of_limit"] >= 0.9 and m["refused_share"] < 0.05,
         f"{m['share_of_limit']:.3f} of a hidden limit of {limit}/s in the last 10 of 30 s (at least 0.9), "
         f"{m['refused_share']:.4f} refused (below 0.05)")
m = measured("faults")
tell(m["answered"] + m["typed"] == m["asked"] and m["asked_after_reply"] == 0,
     f"30% faults: {m['answered']} answered, {m['typed']} typed of {m['asked']}, "
     f"{m['asked_after_reply']} asked after a reply")
sys.exit(0 if all_met else 1)
