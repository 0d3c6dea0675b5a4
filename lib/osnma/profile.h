/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* How long each function of OSNMA takes here, on the bytes of the paper's sets S1 to S4 (Computational Load Analysis of
 * a Galileo OSNMA-Ready Receiver for ARM-Based Embedded Platforms, table 3): keys of 96 bits, SHA-256, HMAC-SHA-256, and
 * ECDSA P-224, P-256, P-384, P-521. Beside each the bare primitive of OpenSSL over the same bytes, taken in turn. */
#ifndef GN_OSNMA_PROFILE_H
#define GN_OSNMA_PROFILE_H

#include "gnomon/status.h"
#include "lib/osnma/crypto.h"

enum gn_profile_function {
    GN_PROFILE_TESLA = 0, /* one step of the chain */
    GN_PROFILE_MAC,       /* a tag over ephemeris, ADKD 0 */
    GN_PROFILE_MACSEQ,
    GN_PROFILE_SIGNATURE, /* of a DSM-KROOT, its key made ready before */
    GN_PROFILE_SIGNATURE_NEW, /* the same with a key nobody has seen yet */
    GN_PROFILE_PUBLIC_KEY, /* DSM-PKR up to the Merkle root */
    GN_PROFILE_FUNCTIONS,
};
extern const char *const gn_profile_names[GN_PROFILE_FUNCTIONS];

/* Parts of a signature check, as in table 6, and what that library call does here. */
enum gn_profile_part { GN_PART_POINT = 0, GN_PART_ASN1, GN_PART_INIT, GN_PART_UPDATE, GN_PART_FINAL, GN_PARTS };
extern const char *const gn_part_names[GN_PARTS];

#define GN_PROFILE_SETS 4
extern const enum gn_osnma_curve gn_profile_curves[GN_PROFILE_SETS]; /* of S1..S4 */

struct gn_profile_stat {
    double mean_us, sigma_us, accuracy_pct, median_us; /* accuracy: sigma / mean */
};

struct gn_profile_set {
    struct gn_profile_stat ours[GN_PROFILE_FUNCTIONS], bare[GN_PROFILE_FUNCTIONS], parts[GN_PARTS];
};

/* n_runs timings each; cheap functions are timed 64 calls at once. Errors: GN_E_NOMEM, GN_E_INTERNAL. [control] */
GN_NODISCARD gn_status gn_profile_measure(enum gn_osnma_curve curve, unsigned n_runs, struct gn_profile_set *ret);

#endif
