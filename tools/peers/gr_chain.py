#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""GNU Radio's side of the copy chain: null source, head, N copies, null sink, complex float.

usage: gr_chain.py N SAMPLES      prints million samples a second of wall time
"""
import sys
import time

from gnuradio import blocks, gr

n, samples = int(sys.argv[1]), int(float(sys.argv[2]))
top = gr.top_block()
chain = [blocks.null_source(8), blocks.head(8, samples), *(blocks.copy(8) for _ in range(n)), blocks.null_sink(8)]
top.connect(*chain)
start = time.monotonic()
top.run()
print(f"{samples / 1e6 / (time.monotonic() - start):.1f}")
