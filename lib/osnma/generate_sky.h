/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Signed E1-B pages of a whole sky, page by page: words come from a function, cut-off points and OSNMA fields are
 * worked out here. For simulators, page files and tests. [one thread at a time] */
#ifndef GN_OSNMA_GENERATE_SKY_H
#define GN_OSNMA_GENERATE_SKY_H

#include "lib/osnma/engine.h"
#include "lib/osnma/generate.h"

#define GN_OSNMA_GEN_SPARE 255u /* a spare word */

struct gn_osnma_gen_source {
    void *arg;
    /* The 128-bit word of that type (0 to 6, 10, 16 to 20, GN_OSNMA_GEN_SPARE) as satellite i sends it at (wn, tow_s).
     * Within a sub-frame the contents must not change, and word 10's only in one with tow_s % 60 >= 30. */
    void (*word)(void *arg, unsigned i, unsigned type, int32_t wn, uint32_t tow_s, uint8_t word[16]);
};

struct gn_osnma_gen_sky {
    struct gn_osnma_gen *gen; /* borrowed */
    struct gn_osnma_gen_source source;
    unsigned n_sats;
    int64_t sf;               /* the fields below are of this sub-frame; -1: of none */
    struct gn_osnma_gen_sat sats[GN_OSNMA_PRNS]; /* prn and has_osnma by the caller, at any time */
    uint8_t before[GN_OSNMA_PRNS][GN_OSNMA_GEN_WORDS][16];
    uint8_t bits[GN_OSNMA_PRNS][GN_OSNMA_PAGES][5];
};

/* Page of satellite i that starts at (wn, tow_s), tow_s odd; sub-frames must not go back. What the sky sent before its
 * first sub-frame counts as constant for long. Errors: GN_E_ARG. */
GN_NODISCARD gn_status gn_osnma_gen_sky_page(struct gn_osnma_gen_sky *sky, unsigned i, int32_t wn, uint32_t tow_s,
        struct gn_osnma_page *ret);

#endif
