# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 the gnomon authors
"""osnma_live.py GNOMON WRITE_PAGES DATA: a receiver on a TCP port.

A recording through it gives the same tags as from the file; under the host clock, which says the pages are old, none;
in silence an interrupt ends the program at once with 130.
"""
import signal
import socket
import subprocess
import sys
import threading
import time

gnomon, write_pages, data = sys.argv[1:]
keys = data + "/keys.json#live_current_config"


def serve(payload, hold_s):
    s = socket.create_server(("127.0.0.1", 0))

    def run():
        c, _ = s.accept()
        for i in range(0, len(payload), 3001):
            c.sendall(payload[i:i + 3001])
        time.sleep(hold_s)
        c.close()
        s.close()

    threading.Thread(target=run, daemon=True).start()
    return "tcp://127.0.0.1:%d" % s.getsockname()[1]


def start(where, *more):
    return subprocess.Popen([gnomon, "osnma", "run", where, "--keys", keys, "--json", *more], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


payload = subprocess.run([write_pages, "noisy_ubx", data + "/quick_6min_e1.csv"], stdout=subprocess.PIPE, check=True).stdout
out, _ = start(serve(payload, 0.2), "--trusted-time", "recording").communicate(timeout=30)
assert '"0": {"authentic": 191, "forged": 0' in out, out
out, err = start(serve(payload, 0.2), "--trusted-time", "host").communicate(timeout=30)
assert '"0": {"authentic": 0, "forged": 0' in out, out  # the host clock says these pages are old
p = start(serve(payload[:20000], 30), "--trusted-time", "recording")
time.sleep(1.0)
t0 = time.monotonic()
p.send_signal(signal.SIGINT)
p.communicate(timeout=10)
assert p.returncode == 130, p.returncode
print("ended %.2f s after the interrupt" % (time.monotonic() - t0))
