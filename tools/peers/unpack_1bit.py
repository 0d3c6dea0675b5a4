#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turn a 1-bit I/Q file (I0 Q0 I1 Q1 ..., most significant bit first, 1 = +1) into int8 pairs for other receivers.

usage: unpack_1bit.py IN OUT
"""
import sys

TABLE = [bytes((1 if byte >> bit & 1 else 255) for bit in range(7, -1, -1)) for byte in range(256)]

with open(sys.argv[1], "rb") as packed, open(sys.argv[2], "wb") as pairs:
    while block := packed.read(1 << 20):
        pairs.write(b"".join(TABLE[byte] for byte in block))
