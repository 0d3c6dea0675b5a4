# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
"""A second opinion on a signed page file: OSNMA SIS ICD 1.1 read once more, with Python's hashlib and hmac and the
`cryptography` package; nothing of it is shared with the C code. It knows the whole file before it judges.

osnma_check.py PAGES KEYS LOG  compares, row by row, with the event log of `gnomon osnma run`.
"""
import csv, hashlib, hmac, json, sys
from collections import Counter, defaultdict
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import cmac, hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers import algorithms

KS = {0: 96, 1: 104, 2: 112, 3: 120, 4: 128, 5: 160, 6: 192, 7: 224, 8: 256}
TS = {5: 20, 6: 24, 7: 28, 8: 32, 9: 40}
NB_DK = {n: n + 6 for n in range(1, 9)}
NB_DP = {7: 13, 8: 14, 9: 15, 10: 16}
CURVES = {"P-256": (ec.SECP256R1(), hashes.SHA256(), 32), "P-521": (ec.SECP521R1(), hashes.SHA512(), 66)}
TABLE = {  # MAC look-up table, annex C
    27: ("00S 00E 00E 00E 12S 00E", "00S 00E 00E 04S 12S 00E"),
    28: ("00S 00E 00E 00E 00S 00E 00E 12S 00E 00E", "00S 00E 00E 00S 00E 00E 04S 12S 00E 00E"),
    31: ("00S 00E 00E 12S 00E", "00S 00E 00E 12S 04S"),
    33: ("00S 00E 04S 00E 12S 00E", "00S 00E 00E 12S 00E 12E"),
    34: ("00S FLX 04S FLX 12S 00E", "00S FLX 00E 12S 00E 12E"),
    35: ("00S FLX 04S FLX 12S FLX", "00S FLX FLX 12S FLX FLX"),
    36: ("00S FLX 04S FLX 12S", "00S FLX 00E 12S 12E"),
    37: ("00S 00E 04S 00E 12S", "00S 00E 00E 12S 12E"),
    38: ("00S FLX 04S FLX 12S", "00S FLX FLX 12S FLX"),
    39: ("00S FLX 04S FLX", "00S FLX 00E 12S"),
    40: ("00S 00E 04S 12S", "00S 00E 00E 12E"),
    41: ("00S FLX 04S FLX", "00S FLX FLX 12S"),
}


def bits(s, a, n):
    return int(s[a:a + n], 2)


def raw(s):
    s += "0" * (-len(s) % 8)
    return int(s, 2).to_bytes(len(s) // 8, "big") if s else b""


def crc_row(i):
    crc = i << 16
    for _ in range(8):
        crc = crc << 1 ^ (0x1864CFB if crc >> 23 & 1 else 0)
    return crc & 0xFFFFFF


CRC = [crc_row(i) for i in range(256)]


def crc24q(s):  # starts at 0: leading zeros do not count
    crc = 0
    for b in int(s, 2).to_bytes((len(s) + 7) // 8, "big"):
        crc = (crc << 8 ^ CRC[crc >> 16 ^ b]) & 0xFFFFFF
    return crc


def gst(sf):
    t = sf * 30
    return t // 604800 % 4096 << 20 | t % 604800


class Chain:
    def __init__(self, dsm, near):
        self.cid = dsm[1] >> 6
        self.hf, self.mf = dsm[1] >> 2 & 3, dsm[1] & 3
        self.ks, self.ts = KS[dsm[2] >> 4], TS[dsm[2] & 15]
        self.maclt = dsm[3]
        wn = (dsm[4] & 15) << 8 | dsm[5]
        wn += round((near // 20160 - wn) / 4096) * 4096
        self.root_sf = (wn * 604800 + dsm[6] * 3600) // 30 - 1
        self.alpha, self.n = dsm[7:13], self.ks // 8
        self.root = dsm[13:13 + self.n]
        self.nt = (480 - self.ks) // (self.ts + 16)

    def step(self, key, sf):  # key of sf to key of sf - 1
        m = key + gst(sf - 1).to_bytes(4, "big") + self.alpha
        return (hashlib.sha256 if self.hf == 0 else hashlib.sha3_256)(m).digest()[:self.n]

    def mac(self, key, m, n_bits):
        if self.mf == 0:
            out = hmac.new(key, m, hashlib.sha256).digest()
        else:
            c = cmac.CMAC(algorithms.AES(key))
            c.update(m)
            out = c.finalize()
        return int.from_bytes(out, "big") >> 8 * len(out) - n_bits


class File:
    """Pages by sub-frame and satellite: OSNMA fields, words."""

    def __init__(self, path):
        self.fields, self.words = defaultdict(dict), defaultdict(dict)
        for r in csv.DictReader(open(path)):
            p = format(int(r["page"], 16), "0240b")
            if p[1] == "1" or p[121] == "1" or crc24q(p[:114] + p[120:202]) != bits(p, 202, 24):
                continue
            word = p[2:114] + p[122:138]
            t, prn = int(r["wn"]) * 604800 + int(r["tow"]), int(r["prn"])
            if word[:6] == "111111":
                continue
            self.words[(prn, t // 30)][bits(word, 0, 6)] = word
            if r["sig"] == "1" and "1" in p[138:178]:
                self.fields[(t // 30, prn)][t % 30 // 2] = p[138:178]
        self.sfs = sorted({sf for sf, _ in self.fields})

    def whole(self, sf, prn):
        f = self.fields.get((sf, prn), {})
        return f if len(f) == 15 or (len(f) == 14 and 14 not in f) else None

    def header(self, sf):
        c = Counter(f[0][:8] for (s, _), f in self.fields.items() if s == sf and 0 in f)
        return int(c.most_common(1)[0][0], 2) if c else None


def messages(f):
    """(sub-frame when whole, header, id, bytes): each DSM, blocks of all satellites together."""
    have, done = {}, {}
    for sf in f.sfs:
        for (s, prn), g in sorted(f.at[sf].items()):
            if len(g) < 14 or 0 not in g:
                continue
            d, b = bits(g[1], 0, 4), bits(g[1], 4, 4)
            block = bytes(bits(g[i], 0, 8) if i in g else 0 for i in range(2, 15))
            slot = have.setdefault(d, {})
            if slot.get(b, block) != block:
                slot.clear()
            slot[b] = block
            n = (NB_DK if d < 12 else NB_DP).get(slot.get(0, b"\0")[0] >> 4)
            if n and all(i in slot for i in range(n)):
                m = b"".join(slot[i] for i in range(n))
                if done.get(d) != (m, f.header(sf)):
                    done[d] = (m, f.header(sf))
                    yield sf, f.header(sf), d, m


def merkle(m):
    npkt = m[129] >> 4
    n = {1: 34, 3: 68}.get(npkt, len(m) - 129)
    x = hashlib.sha256(m[129:129 + n]).digest()
    for j in range(4):
        itn = m[1 + 32 * j:33 + 32 * j]
        x = hashlib.sha256(itn + x if m[0] >> j & 1 else x + itn).digest()
    return x, npkt, m[129] & 15, m[130:129 + n]


def signed(m, header, keys):
    n = 13 + KS[m[2] >> 4] // 8
    for curve, point in keys:
        c, h, half = CURVES[curve]
        r, s = (int.from_bytes(m[n + i * half:n + (i + 1) * half], "big") for i in (0, 1))
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(c, point).verify(
                utils.encode_dss_signature(r, s), bytes([header]) + m[1:n], ec.ECDSA(h))
            return True
        except InvalidSignature:
            pass
    return False


def trust(f, anchors):
    """Chains whose root key is signed, by (CID, alpha), and the events."""
    keys, chains, events = defaultdict(list), {}, []
    roots = [bytes.fromhex(anchors[k]) for k in ("merkle_root", "new_merkle_root") if k in anchors]
    for k in anchors["pubkeys"]:
        keys[k["pkid"]].append((k["curve"], bytes.fromhex(k["point"])))
    for sf, header, d, m in messages(f):
        if d >= 12:
            root, npkt, npkid, key = merkle(m)
            if root not in roots:
                continue
            events.append(("osnma.oam" if npkt == 4 else "osnma.pkr", sf, npkid))
            if npkt == 4:
                break
            keys[npkid].append(({1: "P-256", 3: "P-521"}[npkt], key))
        elif signed(m, header, keys[m[0] & 15]):
            c = Chain(m, sf)
            events.append(("osnma.kroot", sf, m[0] & 15))
            old = chains.get((c.cid, c.alpha))
            if old is None or old.root_sf > c.root_sf:
                chains[(c.cid, c.alpha)] = c
            if header >> 1 & 7 == 7:
                break
    return chains, events


def chain_keys(f, chains):
    """The key of each sub-frame, with its chain: walked from each chain's last received key to its root."""
    ret = {}
    for c in chains.values():
        at = c.nt * (c.ts + 16)
        mine = [sf for sf in f.sfs if f.header(sf) is not None and f.header(sf) >> 4 & 3 == c.cid]
        sent = {sf: Counter(mack(g)[at:at + c.ks] for _, g in f.at[sf].items() if len(g) >= 14) for sf in mine}
        for last in reversed(mine):
            if not sent[last]:
                continue
            key, sf, walk = raw(sent[last].most_common(1)[0][0]), last, {}
            while sf > c.root_sf:
                walk[sf] = key
                key, sf = c.step(key, sf), sf - 1
            if key == c.root:
                ret.update({s: (walk[s], c) for s in mine if s in walk})
                break
    return ret


def mack(g):
    return "".join(g.get(i, "0" * 40)[8:] for i in range(15))


def navdata(f, prn, adkd, sf, cop):
    """The bits a tag covers, by the strict reading of its cut-off point; None when they were not all received."""
    if cop == 0:
        return "0" * (141 if adkd == 4 else 549)
    window = [f.words.get((prn, s), {}) for s in range(sf - 1, sf - cop - 1, -1)]
    newest = lambda t, iod=None: next((w[t] for w in window if t in w and iod in (None, w[t][6:16])), None)
    if adkd == 4:
        w6, w10 = newest(6), newest(10)
        return w6[6:105] + w10[86:128] if w6 and w10 else None
    iod = next((w[t][6:16] for w in window for t in (3, 1, 4, 2) if t in w), None)
    w = [newest(t, iod) for t in (1, 2, 3, 4)] + [newest(5)]
    if None in w:
        return None
    return w[0][6:126] + w[1][6:126] + w[2][6:128] + w[3][6:126] + w[4][6:73]


def tags(f, keys):
    """{(sf, prn_a, ctr): (verified, adkd, nmas, data hash)} of each tag that can be attempted."""
    ret = {}
    for sf in f.sfs:
        if sf + 1 not in keys:
            continue
        layout = next((c for _, c in [keys[sf]] if c), None) if sf in keys else keys[sf + 1][1]
        slots = TABLE[layout.maclt][sf % 2].split()
        for (_, prn), g in f.at[sf].items():
            if len(g) < 14:
                continue
            judge(f, keys, sf, prn, mack(g), bits(g[0], 0, 2) if 0 in g else None, layout, slots, ret)
    return ret


def judge(f, keys, sf, prn, m, nmas, c, slots, ret):
    w = c.ts + 16
    info = [m[i * w + c.ts:(i + 1) * w] for i in range(c.nt)]
    flex = "".join(info[i] for i in range(c.nt) if slots[i] == "FLX")
    key, kc = keys[sf + 1]
    macseq = kc.mac(key, raw(format(prn, "08b") + format(gst(sf), "032b") + flex), 12)
    macseq_ok = macseq == int(info[0][:12], 2)
    for i in range(c.nt):
        d, adkd, cop = (prn, 0, bits(info[0], 12, 4)) if i == 0 else (
            bits(info[i], 0, 8), bits(info[i], 8, 4), bits(info[i], 12, 4))
        if slots[i] == "FLX" and not macseq_ok or slots[i] != "FLX" and (
                adkd != int(slots[i][:2]) or slots[i][2] == "S" and d != prn):
            continue
        at = sf + (11 if adkd == 12 else 1)
        data = navdata(f, d, adkd, sf, cop)
        if at not in keys or data is None:
            continue
        key, kc = keys[at]
        msg = ("" if i == 0 else format(d, "08b")) + format(prn, "08b") + format(gst(sf), "032b")
        msg += format(i + 1, "08b") + format(nmas, "02b") + data
        ok = kc.mac(key, raw(msg), c.ts) == bits(m, i * w, c.ts)
        ret[(sf, prn, i + 1)] = (ok, adkd, nmas, hashlib.sha256(raw(data)).hexdigest()[:8] if cop else "")


def main():
    f = File(sys.argv[1])
    f.at = defaultdict(dict)
    for (sf, prn), g in f.fields.items():
        f.at[sf][(sf, prn)] = g
    chains, events = trust(f, json.load(open(sys.argv[2])))
    mine = tags(f, chain_keys(f, chains))
    log = [json.loads(line) for line in open(sys.argv[3])]
    at = lambda e: (e["wn"] * 604800 + e["tow"]) // 30
    theirs = {(at(e), e["prn_a"], e["ctr"]): e for e in log if e["event"] == "osnma.tag"}
    dont_use = [sf for sf in f.sfs if f.header(sf) >> 6 == 3]
    first_du = dont_use[0] if dont_use else 1 << 60
    alert = next((sf for kind, sf, _ in events if kind == "osnma.oam"), 1 << 60)
    bad, n = [], Counter()
    for k, (ok, adkd, nmas, data) in sorted(mine.items()):
        e = theirs.get(k, {"verdict": "none", "data": ""})
        n["tags"] += 1
        n["verified"] += ok
        may_wait = adkd == 12 and k[0] < first_du <= k[0] + 11
        usable = ok and nmas in (1, 2) and k[0] + (11 if adkd == 12 else 1) <= alert
        if not usable and e["verdict"] == "authentic" or usable and e["verdict"] != "authentic" and not may_wait:
            bad.append((k, "mine", ok, nmas, "theirs", e["verdict"], e.get("reason")))
        elif e["verdict"] == "authentic" and data != e.get("data", ""):
            bad.append((k, "data", data, e["data"]))
        n["agreed"] += e["verdict"] == "authentic" and usable
    for k, e in theirs.items():
        # words 10 come every other sub-frame: they may take the tag's own, before its key is known, for a guess
        is_first = e["adkd"] == 4 and k[0] <= f.sfs[0] + 1
        if e["verdict"] == "forged" or e["verdict"] == "authentic" and k not in mine and not is_first:
            bad.append((k, "mine none, theirs", e["verdict"]))
    said = {(e["event"], at(e), e["pkid"]) for e in log
            if e["event"] in ("osnma.kroot", "osnma.pkr", "osnma.oam") and e["verdict"] == "authentic"}
    bad += [(e, "no such event in the log") for e in events if e not in said]
    bad += [(e, "event of the log that is not mine") for e in said if e not in events]
    print(f"{n['tags']} tags attempted, {n['verified']} verified, {n['agreed']} of them authentic in both; "
          f"{len(events)} signed messages at the same sub-frames; {len(bad)} differences")
    for b in bad[:10]:
        print("  ", b)
    return 1 if bad or n["agreed"] == 0 else 0


sys.exit(main())
