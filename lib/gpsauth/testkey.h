/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* TEST keys: the whole key follows from a small number that stands in a flowgraph. They prove nothing about anybody. */
#ifndef GN_GPSAUTH_TESTKEY_H
#define GN_GPSAUTH_TESTKEY_H

#include "lib/gpsauth/key.h"

/* P-256, s_bits (top bit set), c_bits, 64-bit commitments. The same for the same number. [control] */
GN_NODISCARD gn_status gn_ga_test_key(
        uint64_t number, uint32_t s_bits, uint32_t c_bits, struct gn_ga_key *ret, struct gn_error *err);

#endif
