/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The signal of a sky as one antenna hears it: GPS L1 C/A, and Galileo E1-B with E1-C as CBOC, plus
 * noise, through filter and converter.
 *
 * Sample n is taken when the oscillator shows t = n / rate since the start. A satellite then shows
 * t_sv(n) (scene.h), and everything follows from it: chips 1.023e6 t_sv, carrier cycles 1575.42e6
 * (t_sv - start - t), the carrier's t_sv being ahead by twice the ionosphere. Code and carrier are
 * thus coherent and Doppler, Sagnac, clocks and relativity come by themselves. Between nodes 1 s
 * (20 ms: in motion or with a noisy oscillator) apart the way is a cubic. The output depends on seed
 * and index only, in whole tiles of GN_SIM_TILE samples. */
#ifndef GN_SIM_SKY_H
#define GN_SIM_SKY_H

#include "gnomon/block.h"
#include "gnomon/status.h"
#include "lib/frontend/fir.h"
#include "lib/osnma/generate.h"
#include "lib/sim/codes.h"
#include "lib/sim/message.h"
#include "lib/sim/noise.h"
#include "lib/sim/scene.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_SIM_TILE     2048U
#define GN_SIM_RATE_MIN 1.0e6
#define GN_SIM_RATE_MAX 200e6

struct gn_sim_channel {
    struct gn_sim_message message;
    struct gn_sim_code code;
    double phase_turns; /* of the carrier at sample 0, from the seed */
    int64_t i_node;     /* the stretch the cubics are good for, -1: none */
    struct gn_sim_way ways[4]; /* at nodes i_node - 1 .. i_node + 2 */
    double poly[2][4];  /* code_s and advance_s over x = 0..1 of the stretch */
    float amplitude;    /* over it, in output steps */
};

struct gn_sim_sky {
    struct gn_sim_scene scene;
    struct gn_sim_almanac almanac;
    double node_s;
    uint32_t n_channels;
    struct gn_sim_channel channels[GN_SIM_CHANNELS_MAX];
    struct gn_osnma_gen *gen; /* owned, NULL without OSNMA */
    struct gn_osnma_gen_sat signers[GN_SIM_SATS_MAX];
    uint32_t n_signers;
    struct gn_noise noise;
    struct gn_fir fir;
    double gain;                            /* of the converter: antenna to output */
    uint64_t i_next;                        /* raw[2] holds tile i_next */
    float raw[3][2][GN_SIM_TILE];           /* before the filter: tiles i - 1, i, i + 1 */
    float line[GN_SIM_TILE + 2 * GN_FIR_SIDE_MAX];
    float re[GN_SIM_TILE], im[GN_SIM_TILE]; /* scratch of a tile */
    int8_t chips[GN_SIM_TILE];
};

/* Pick satellites, at most as many as asked for and above the mask, and make tables. GN_E_ARG: a
 * value is out of range. [control] */
GN_NODISCARD gn_status gn_sim_sky_init(
        struct gn_sim_sky *sky, const struct gn_sim_scene *scene, struct gn_error *err);

/* Give back what init made, also after a failure; a zeroed sky is fine. The sky itself must not move
 * in between. [control] */
void gn_sim_sky_done(struct gn_sim_sky *sky);

/* Tile i (samples i GN_SIM_TILE ...) as antenna signal, before filter and converter. [stream] */
void gn_sim_sky_antenna(
        struct gn_sim_sky *sky, uint64_t i_tile, float re[GN_SIM_TILE], float im[GN_SIM_TILE]);

/* Tile i in a stream format: ci8, ci16, cf32, or s8, s16 for a real output. Tiles may be made in any
 * order; with a filter going forward is cheaper. [stream] */
void gn_sim_sky_out(struct gn_sim_sky *sky, uint64_t i_tile, enum gn_format format, void *ret);
void gn_sim_sky_tile(struct gn_sim_sky *sky, uint64_t i_tile, int8_t ret[2 * GN_SIM_TILE]);

/* Truth: t_sv - start of channel i at sample n, seconds. [stream] */
double gn_sim_sky_signal_time_s(struct gn_sim_sky *sky, uint32_t i, double n);
/* The same offset from t and what the carrier is ahead, as the samples have them, at t seconds. */
void gn_sim_sky_offsets(
        struct gn_sim_sky *sky, uint32_t i, double t_s, double *code_s, double *advance_s);

#endif
