#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Score an event log of the long recording against somebody else's truth (data/iq/truth.json).

usage: score.py LOG TRUTH.json FILE_NAME     prints the figures, one a line; exits 1 with the bars that were missed.
"""
import json
import math
import sys

BARS = {"first_fix_s": 37, "horizontal_rms_m": 3.0, "authenticated_s": 125}


def ecef(lat_deg, lon_deg, h):
    a, f = 6378137.0, 1 / 298.257223563
    e2 = f * (2 - f)
    la, lo = math.radians(lat_deg), math.radians(lon_deg)
    n = a / math.sqrt(1 - e2 * math.sin(la) ** 2)
    return ((n + h) * math.cos(la) * math.cos(lo), (n + h) * math.cos(la) * math.sin(lo),
            (n * (1 - e2) + h) * math.sin(la))


def enu(point, truth):
    """East, north, up of point seen from truth, metres."""
    la, lo = math.radians(truth["lat_deg"]), math.radians(truth["lon_deg"])
    ref = ecef(truth["lat_deg"], truth["lon_deg"], truth["height_m"])
    d = [p - r for p, r in zip(point, ref)]
    east = -math.sin(lo) * d[0] + math.cos(lo) * d[1]
    north = -math.sin(la) * math.cos(lo) * d[0] - math.sin(la) * math.sin(lo) * d[1] + math.cos(la) * d[2]
    up = math.cos(la) * math.cos(lo) * d[0] + math.cos(la) * math.sin(lo) * d[1] + math.sin(la) * d[2]
    return east, north, up


def read(path):
    with open(path) as log:
        events = [json.loads(line) for line in log]
    if not events or events[-1]["event"] != "run.end":
        sys.exit(f"{path}: incomplete: the last line is not run.end")
    return events


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values)) if values else math.inf


def score(events, truth):
    fixes = [e for e in events if e["event"] == "pvt.fix" and e["solution"] == "all"]
    settled = [enu(e["ecef_m"], truth["position"]) for e in fixes if e["t"] >= 60]
    used = {(s["signal"], s["prn"]) for e in fixes if e["t"] >= 60 for s in e["sats"]}
    tracked = {(e["signal"], e["prn"]) for e in events if e["event"] == "track.state" and e["state"] == "tracking"}
    wanted = {("GPS_L1CA", p) for p in truth["gps"]} | {("GAL_E1", p) for p in truth["galileo"]}
    allowed = wanted | {("GPS_L1CA", p) for p in truth.get("gps_low", [])}
    authenticated = [e["t"] for e in events if e["event"] == "pvt.fix" and e["solution"] == "authenticated"
                     and e["trust"] == "authenticated" and e["n_used"] >= 4]
    east_north = [math.hypot(e, n) for e, n, _ in settled]
    return {
        "first_fix_s": fixes[0]["t"] if fixes else math.inf,
        "n_fixes": len(fixes),
        "horizontal_rms_m": rms(east_north),
        "horizontal_max_m": max(east_north, default=math.inf),
        "vertical_rms_m": rms([u for _, _, u in settled]),
        "authenticated_s": min(authenticated, default=math.inf),
        "n_authenticated_fixes": len(authenticated),
        "missing": sorted(wanted - used),
        "absent_tracked": sorted(tracked - allowed),
        "tags_forged": sum(e["event"] == "osnma.tag" and e["verdict"] == "forged" for e in events),
        "tags_authentic": sum(e["event"] == "osnma.tag" and e["verdict"] == "authentic" for e in events),
    }


def main():
    log, truth_file, name = sys.argv[1:4]
    with open(truth_file) as f:
        truth = next(x for x in json.load(f)["files"] if x["file"] == name)
    figures = score(read(log), truth)
    for key, value in figures.items():
        print(f"{key}: {value}")
    missed = [f"{key} {figures[key]} over {bar}" for key, bar in BARS.items() if figures[key] >= bar]
    missed += [f"{key}: {figures[key]}" for key in ("missing", "absent_tracked", "tags_forged") if figures[key]]
    if missed:
        print("missed: " + "; ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
