#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectrum of the simulated E1 signal against the theory of CBOC(6,1,1/11), as a picture.

usage: e1_spectrum.py GNOMON OUT.svg
Exit 0: within 0.5 dB wherever theory stands above -25 dB of its peak; 77: numpy is not installed.
Theory: sine-BOC(m,n) with an even number of half-periods, J. W. Betz, Navigation 48 (2001) 4;
CBOC: 10/11 BOC(1,1) + 1/11 BOC(6,1) for data and pilot together (Galileo OS SIS ICD 2.1, 2.3.3).
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("not run: numpy is not installed")
    sys.exit(77)

RATE, FC = 98.208e6, 1.023e6
SHOWN_MHZ, BIN_MHZ = 12.0, 0.2


def boc(f, m):
    """Power density of BOC(m,1), area 1."""
    fs = m * FC
    f = np.where(np.abs(f) < 1, 1.0, f)
    return FC * (np.sin(np.pi * f / FC) * np.tan(np.pi * f / (2 * fs)) / (np.pi * f)) ** 2


def simulated(gnomon):
    source = pathlib.Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work) / "e1.cf32"
        subprocess.run([gnomon, "run", str(source / "flowgraphs/simulate.yaml"), "-q", "-p", "signals=GAL_E1",
                        "-p", "n_galileo=1", "-p", f"rate={RATE}", "-p", "seconds=0.4", "-p", "format=cf32_le",
                        "-p", "noise=false", "-p", "cn0=80", "-p", f"out={out}"], check=True)
        x = np.fromfile(out, np.complex64)
    n = 1 << 16
    window = np.hanning(n)
    total = np.zeros(n)
    for i in range(0, len(x) - n, n // 2):
        total += np.abs(np.fft.fft(x[i:i + n] * window)) ** 2
    f = np.fft.fftfreq(n, 1 / RATE)
    return f, total / np.sum(total) / (RATE / n)


def binned(f, p):
    edges = np.arange(-SHOWN_MHZ, SHOWN_MHZ + BIN_MHZ / 2, BIN_MHZ) * 1e6
    place = np.digitize(f, edges) - 1
    return (edges[:-1] + edges[1:]) / 2, np.array([p[place == k].mean() for k in range(len(edges) - 1)])


def picture(path, f, got, want, worst):
    def line(y, colour, width):
        points = " ".join(f"{60 + 28 * (a / 1e6 + SHOWN_MHZ):.1f},{40 - 8 * max(b, -45):.1f}" for a, b in zip(f, y))
        return f'<polyline fill="none" stroke="{colour}" stroke-width="{width}" points="{points}"/>'
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 460" font-family="sans-serif" font-size="13">',
             '<rect width="760" height="460" fill="#fff"/>']
    for db in range(0, -50, -10):
        parts.append(f'<line x1="60" x2="732" y1="{40 - 8 * db}" y2="{40 - 8 * db}" stroke="#ddd"/>'
                     f'<text x="52" y="{44 - 8 * db}" text-anchor="end">{db}</text>')
    for mhz in range(-12, 13, 4):
        parts.append(f'<text x="{60 + 28 * (mhz + 12)}" y="425" text-anchor="middle">{mhz}</text>')
    parts += [line(want, "#bbb", 5), line(got, "#1d4e89", 1.5),
              '<text x="396" y="448" text-anchor="middle">offset from 1575.42 MHz, MHz</text>',
              f'<text x="60" y="24">E1 power density, dB of the peak: simulated (blue), CBOC(6,1,1/11) theory (grey); '
              f'largest difference {worst:.2f} dB</text>', '</svg>']
    pathlib.Path(path).write_text("\n".join(parts) + "\n")


def main():
    f, p = simulated(sys.argv[1])
    theory = 10 / 11 * boc(f, 1) + 1 / 11 * boc(f, 6)
    x, got = binned(f, p)
    _, want = binned(f, theory)
    peak = want.max()
    got_db, want_db = 10 * np.log10(got / peak), 10 * np.log10(want / peak)
    worst = np.max(np.abs(got_db - want_db)[want_db > -25])
    picture(sys.argv[2], x, got_db, want_db, worst)
    print(f"E1 spectrum: at most {worst:.2f} dB from theory where that is above -25 dB")
    return 0 if worst < 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
