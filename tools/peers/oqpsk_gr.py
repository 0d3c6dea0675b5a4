#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The front of the usual GNU Radio 802.15.4 receiver, from stock blocks: discriminator, offset removal, clock
recovery to chips. What is left out (finding symbols among the chips) makes it faster, not slower.
usage: oqpsk_gr.py FILE.cf32 -> CPU seconds and samples"""
import os, sys, time
from gnuradio import analog, blocks, digital, filter as gr_filter, gr


def main():
    path = sys.argv[1]
    top = gr.top_block()
    src = blocks.file_source(gr.sizeof_gr_complex, path, False)
    demod = analog.quadrature_demod_cf(1)
    mean = gr_filter.single_pole_iir_filter_ff(0.00016, 1)
    diff = blocks.sub_ff(1)
    clock = digital.clock_recovery_mm_ff(2, 0.000225, 0.5, 0.03, 0.0002)
    sink = blocks.null_sink(gr.sizeof_float)
    top.connect(src, demod, (diff, 0))
    top.connect(demod, mean, (diff, 1))
    top.connect(diff, clock, sink)
    cpu_s = time.process_time()
    top.run()
    print("%.3f s of CPU, %d samples" % (time.process_time() - cpu_s, os.path.getsize(path) // 8))


main()
