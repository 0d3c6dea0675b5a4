# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
"""peer_pages.py WRITE_PAGES PAGES.csv: a second opinion on what SBF and UBX frames mean.

RTKLIB's convbin (Debian rtklib, 2.4.3 b34) reads the frames tests/support/page_frames.h writes and lib/pagein reads.
Every ephemeris it finds must hold the numbers of word 1 of that satellite in the CSV file.
"""
import os
import shutil
import subprocess
import sys
import tempfile

PI = 3.1415926535898  # Galileo OS SIS ICD, table 57


def words(path):
    """{(prn, iod, toe, M0, e)} of word 1"""
    found = set()
    for line in open(path):
        f = line.strip().split(",")
        if f[0] == "wn":
            continue
        b = bin(int(f[4], 16))[2:].zfill(240)
        if int(b[2:8], 2) != 1:
            continue
        m0 = int(b[32:64], 2)
        m0 = (m0 - (1 << 32) if m0 >> 31 else m0) * 2.0**-31 * PI
        found.add((int(f[2]), int(b[8:18], 2), 60 * int(b[18:32], 2), "%.9e" % m0, "%.9e" % (int(b[64:96], 2) * 2.0**-33)))
    return found


def ephemerides(path):
    """the same out of RINEX 3 navigation data"""
    found, lines = set(), open(path).read().splitlines()
    lines = lines[[i for i, s in enumerate(lines) if "END OF HEADER" in s][0] + 1:]
    number = lambda s, i: float(s[4 + 19 * i:23 + 19 * i].replace("D", "E"))
    for i, s in enumerate(lines):
        if s[0] == "E":
            one, two, three = lines[i + 1], lines[i + 2], lines[i + 3]
            found.add((int(s[1:3]), int(number(one, 0)), int(number(three, 0)), "%.9e" % number(one, 3),
                       "%.9e" % number(two, 1)))
    return found


def main():
    write_pages, pages = sys.argv[1:]
    if shutil.which("convbin") is None or not os.path.exists(pages):
        print("not run: no convbin or no shared data")
        return 0
    want = words(pages)
    for form, name in ("sbf", "sbf"), ("ubx_rawx", "ubx"):
        with tempfile.TemporaryDirectory() as d:
            raw = os.path.join(d, "pages." + name)
            with open(raw, "wb") as f:
                subprocess.run([write_pages, form, pages], stdout=f, check=True)
            subprocess.run(["convbin", "-r", name, "-v", "3.04", "-f", "3", "-o", d + "/o", "-n", d + "/n",
                            "-tr", "2025/12/12", "13:22:00", raw], stderr=subprocess.DEVNULL, check=False)
            got = ephemerides(d + "/n")
        print("%s: RTKLIB finds %d ephemerides of %d" % (name, len(got), len(want)))
        if len(got) < 8 or not got <= want:
            print("differing: %r" % sorted(got - want))
            return 1
    return 0


sys.exit(main())
