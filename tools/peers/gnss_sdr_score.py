#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance of gnss-sdr's positions (its NMEA file) from the truth in a recording's metadata.

usage: gnss_sdr_score.py SKY.sigmf-meta GNSS-SDR.log OUTPUT-FOLDER
"""
import json
import math
import pathlib
import re
import statistics
import sys
import calendar

A, E2 = 6378137.0, 6.69437999014e-3


def ecef(lat_deg, lon_deg, height_m):
    lat, lon = math.radians(lat_deg), math.radians(lon_deg)
    n = A / math.sqrt(1 - E2 * math.sin(lat) ** 2)
    return ((n + height_m) * math.cos(lat) * math.cos(lon), (n + height_m) * math.cos(lat) * math.sin(lon),
            (n * (1 - E2) + height_m) * math.sin(lat))


def truth(path):
    """[(GPS seconds since 1980, ecef)] at the annotations."""
    rows = []
    for a in json.loads(pathlib.Path(path).read_text())["annotations"]:
        e = a["gnomon:event"]
        if e["event"] == "sim.truth":
            rows.append((e["week"] * 604800 + e["tow_s"], e["ecef_m"]))
    return rows


def at(rows, t):
    """Truth at a time, straight between two annotations."""
    for (t0, p0), (t1, p1) in zip(rows, rows[1:]):
        if t0 - 1e-6 <= t <= t1 + 1e-6:
            x = (t - t0) / (t1 - t0)
            return [a + x * (b - a) for a, b in zip(p0, p1)]
    return rows[-1][1] if t > rows[-1][0] else rows[0][1]


def positions(folder, log):
    """[(GPS seconds, lat, lon, height)] from the program's GPX or KML track, else from what it printed."""
    pattern = re.compile(r"Position at (\d{4})-(\w{3})-(\d\d) (\d\d):(\d\d):([\d.]+) UTC.*?Lat = ([-\d.]+) \[deg\], "
                         r"Long = ([-\d.]+) \[deg\], Height ?= ?([-\d.]+) \[m\]")
    months = {m: i for i, m in enumerate(calendar.month_abbr)}
    rows = []
    for m in pattern.finditer(re.sub(r"\x1b\[[0-9;]*m", "", pathlib.Path(log).read_text(errors="replace"))):
        y, mon, d, h, mi, s = m.group(1, 2, 3, 4, 5, 6)
        utc = calendar.timegm((int(y), months[mon], int(d), int(h), int(mi), 0)) + float(s)
        rows.append((utc - 315964800 + 18, *map(float, m.group(7, 8, 9))))
    return rows


def main():
    rows = truth(sys.argv[1])
    fixes = positions(sys.argv[3], sys.argv[2])
    errors = [math.dist(ecef(*f[1:]), at(rows, f[0])) for f in fixes]
    if not errors:
        print("no position")
        print(pathlib.Path(sys.argv[2]).read_text(errors="replace")[-2000:])
        return 1
    print(f"{len(errors)} positions, distance from truth: median {statistics.median(errors):.2f} m, "
          f"largest {max(errors):.2f} m, first after {fixes[0][0] - rows[0][0]:.0f} s")
    return 0 if statistics.median(errors) < 10 else 1


if __name__ == "__main__":
    sys.exit(main())
