/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/track/replica.h"

#include "lib/gnss/codes.h"
#include "lib/gnss/signal.h"

#include <math.h>
#include <stdlib.h>

#define NOISE_LAG_MIN 40 /* bins: 20 chips, beyond any multipath */
#define NOISE_LAG_MAX 240

static int autocorrelation(const struct gn_replica *r, uint32_t lag)
{
    int sum = 0;
    for (uint32_t i = 0; i < r->n_bins; i++)
        sum += (int)r->bins[GN_REPLICA_MARGIN + i] *
               (int)r->bins[GN_REPLICA_MARGIN + (i + lag) % r->n_bins];
    return abs(sum);
}

static void choose_noise_lag(struct gn_replica *r)
{
    int best = INT32_MAX, small = (int)r->n_bins / 500;

    for (uint32_t lag = NOISE_LAG_MIN; lag < NOISE_LAG_MAX && best > small; lag += 2) {
        int value = autocorrelation(r, lag);
        if (value < best) {
            best = value;
            r->noise_lag = lag;
        }
    }
}

gn_status gn_replica_init(
        struct gn_replica *replica, unsigned signal, unsigned component, unsigned prn)
{
    int8_t chips[GN_CODE_CHIPS_MAX];

    if (signal == GN_SIG_NONE || signal >= GN_SIG_COUNT)
        return GN_E_ARG;
    uint32_t n = gn_signal_table[signal].code_chips;
    gn_status st = gn_code_chips(signal, component, prn, chips, n);
    if (st != GN_OK)
        return st;
    float second = signal == GN_SIG_GAL_E1 ? -1.0f : 1.0f;
    replica->n_bins = 2 * n;
    for (uint32_t i = 0; i < 2 * n + 2 * GN_REPLICA_MARGIN; i++) {
        uint32_t bin = (i + 2 * n - GN_REPLICA_MARGIN) % (2 * n);
        replica->bins[i] = (float)chips[bin / 2] * (bin % 2 ? second : 1.0f);
    }
    choose_noise_lag(replica);
    return GN_OK;
}

double gn_replica_peak(int is_boc, double tau_chips)
{
    double t = fabs(tau_chips);

    if (t >= 1)
        return 0;
    if (!is_boc)
        return 1 - t;
    return t < 0.5 ? 1 - 3 * t : t - 1;
}
