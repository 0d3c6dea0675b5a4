# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
"""osnma_rows.py GNOMON DATA NAME: the program on a file of data/osnma, row by row against two other implementations.

The set of authentic (sub-frame, PRN_A, CTR) equals the independent checker's column (on live recordings it contains it);
nothing under "don't use" is authentic and nothing is forged; signed messages and headers come at the listed sub-frames; the
first four authentic satellites come no later than the other receiver's; without trusted time nothing is authentic.
"""
import csv, gzip, json, os, subprocess, sys, tempfile

gnomon, data, name = sys.argv[1:4]
live, syn = name.startswith("live"), name.startswith("syn")
path = os.path.join(data, name)
bad = []


def run(time):
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as log:
        subprocess.run([gnomon, "osnma", "run", path + ".csv.gz", "--keys", f"{data}/keys.json#{name}", "--trusted-time",
                        time, "--jsonl", log.name, "-q"], check=True)
        return [json.loads(line) for line in log]


def at(e):
    return e["wn"] * 604800 + e["tow"]


log = run("recording")
tags = {(at(e), e["prn_a"], e["ctr"]): e for e in log if e["event"] == "osnma.tag"}
rows, ours = set(), {k for k, e in tags.items() if e["verdict"] == "authentic"}
du = min((at(e) for e in log if e["event"] == "osnma.status" and e["nmas"] == 3), default=1 << 60)
n_checker = 0
for r in csv.reader(gzip.open(path + ".tags.csv.gz", "rt")):
    if r[0] == "wn":
        continue
    t, key = int(r[0]) * 604800 + int(r[1]), (int(r[0]) * 604800 + int(r[1]), int(r[2]), int(r[3]))
    adkd, nmas, checker, other = int(r[5]), int(r[8]), r[-1], "-" if syn else r[-2]
    if nmas == 3:
        if key in ours:
            bad.append((key, "authentic under don't use"))
        continue
    if checker == "1":
        rows.add(key)
    may_wait = adkd == 12 and t < du <= t + 330
    if (checker == "1" or other == "1") and key not in ours and not may_wait:
        bad.append((key, "not authentic", tags.get(key)))
    n_checker += checker == "1"
if not live:
    bad += [(k, "authentic, not in the checker's column") for k in ours - rows]
bad += [(k, "forged") for k, e in tags.items() if e["verdict"] == "forged"]

oracle = json.load(open(path + ".oracle.json"))
alert = None
for kind, event in (("pkrs", "pkr"), ("kroots", "kroot")):
    for e in oracle.get(kind, []):
        t = e["at"][0] * 604800 + e["at"][1]
        is_oam = e.get("npkt") == 4
        alert = t if is_oam else alert
        want = "osnma.oam" if is_oam else "osnma." + event
        # a public key may be whole a sub-frame earlier where pieces of one that began with lost pages count
        times = (t, t - 30) if kind == "pkrs" else (t,)
        if alert is not None and t > alert + 30:
            continue
        if not any(x["event"] == want and at(x) in times and x["verdict"] == "authentic" for x in log):
            bad.append((want, e["at"], "missing"))
for header, h in oracle["headers"].items():
    b, t = int(header, 16), h["first"][0] * 604800 + h["first"][1]
    if b >> 1 & 7 == 7 and b >> 6 != 3:
        continue  # filler of dummy pages
    near = [x for x in log if x["event"] == "osnma.status" and (x["nmas"], x["cid"], x["cpks"]) == (
        b >> 6, b >> 4 & 3, b >> 1 & 7) and abs(at(x) - t) <= 30]
    if not near and not live:
        bad.append(("osnma.status", header, h["first"], "missing"))

other = json.load(open(path + ("_hot" if name == "icd_configuration_2" else "") + ".osnmalib.json"))["ttfaf_s"]
pages = [int(p[0]) * 604800 + int(p[1]) for p in list(csv.reader(gzip.open(path + ".csv.gz", "rt")))[1:]]
seen, fix = set(), None
for e in log:
    if e["event"] == "osnma.data" and e["adkd"] == 0 and e["authentic"] and fix is None:
        seen.add(e["prn"])
        if len(seen) == 4:
            fix = at(e) + 60 - pages[0]  # its key's sub-frame has ended: the log of a page file has no finer time
if fix is None or fix > other + 1:
    bad.append(("first authenticated fix", fix, "other receiver", other))
bad += [(e["prn_a"], "authentic without trusted time") for e in run("none")
        if e["event"] in ("osnma.tag",) and e["verdict"] == "authentic"]
print(f"{name}: {len(ours)} tags authentic, {n_checker} of them in the checker's column; four satellites after {fix} s "
      f"(other receiver {other} s); {len(bad)} differences")
for b in bad[:10]:
    print("  ", b)
sys.exit(1 if bad else 0)
