/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/acq/listing.h"

#include "lib/gnss/signal.h"

#include <math.h>
#include <stdlib.h>

/* Of C/A, what several strong satellites leave in an absent one's code is 16 dB or more below the
 * strongest in our recordings; it does not stay in one place. */
#define SURE_DB     14.0
#define STRONG_DBHZ 40.0 /* one sighting is exact enough */
#define SAME_HZ     80.0
#define SAME_CHIPS  1.0
#define SOON_S      2.0 /* the Doppler of one window predicts the code of another so far away */

double gn_acq_code_phase_chips(const struct gn_acq_found *f, double rate_sps, double window_s)
{
    const struct gn_signal_info *info = &gn_signal_table[f->signal];
    double rate = 1 + f->spot.doppler_hz / GN_F_L1_HZ,
           period_s = info->code_chips / info->chip_rate_cps;
    double delay_s = gn_acq_delay_s(f->spot.delay_samples, rate_sps) + window_s;
    double x = fmod(delay_s, period_s / rate) * info->chip_rate_cps;

    if (x < 0)
        x += period_s / rate * info->chip_rate_cps;
    return x < info->code_chips ? x : 0;
}

static uint32_t find(const struct gn_acq_listing *l, uint32_t signal, uint32_t prn)
{
    uint32_t i = 0;

    while (i < l->n && (l->list[i].hit.signal != signal || l->list[i].hit.prn != prn))
        i++;
    return i;
}

static bool is_same_place(const struct gn_msg_acq_hit *a, const struct gn_msg_acq_hit *b, bool soon)
{
    double chips = gn_signal_table[a->signal].code_chips;
    double d = remainder(a->code_phase_chips - b->code_phase_chips, chips);

    return fabs(a->doppler_hz - b->doppler_hz) < SAME_HZ && (!soon || fabs(d) < SAME_CHIPS);
}

static void average(struct gn_acq_listed *l, const struct gn_msg_acq_hit *hit, double weight)
{
    double chips = gn_signal_table[hit->signal].code_chips, part = weight / (l->weight + weight);
    double d = remainder(hit->code_phase_chips - l->hit.code_phase_chips, chips);
    double x = fmod(l->hit.code_phase_chips + part * d + chips, chips);

    l->hit.code_phase_chips = x < chips ? x : 0;
    l->hit.doppler_hz += part * (hit->doppler_hz - l->hit.doppler_hz);
    l->hit.cn0_dbhz += part * (hit->cn0_dbhz - l->hit.cn0_dbhz);
    l->weight += weight;
}

void gn_acq_listing_add(struct gn_acq_listing *l, const struct gn_acq_found *found, uint32_t n,
        double rate_sps, double window_s, double weight)
{
    l->n_windows++;
    for (uint32_t i = 0; i < n; i++) {
        struct gn_msg_acq_hit hit = {.signal = found[i].signal,
                .prn = found[i].prn,
                .doppler_hz = found[i].spot.doppler_hz,
                .cn0_dbhz = found[i].cn0_dbhz,
                .peak_to_mean = found[i].ratio,
                .code_phase_chips = gn_acq_code_phase_chips(&found[i], rate_sps, window_s)};
        uint32_t at = find(l, hit.signal, hit.prn);
        if (at < l->n && is_same_place(&l->list[at].hit, &hit, window_s < SOON_S)) {
            l->list[at].n_seen++;
            if (window_s < SOON_S)
                average(&l->list[at], &hit, weight);
        } else if (at < l->n && hit.cn0_dbhz > l->list[at].hit.cn0_dbhz + 3) {
            l->list[at] = (struct gn_acq_listed){.hit = hit, .weight = weight, .n_seen = 1};
        } else if (at == l->n && l->n < GN_ACQ_HITS_MAX) {
            l->list[l->n++] = (struct gn_acq_listed){.hit = hit, .weight = weight, .n_seen = 1};
        }
    }
}

bool gn_acq_listing_is_sure(const struct gn_acq_listing *l, uint32_t i)
{
    double best = 0;

    for (uint32_t k = 0; k < l->n; k++)
        if (l->list[k].hit.signal == l->list[i].hit.signal)
            best = fmax(best, l->list[k].hit.cn0_dbhz);
    return l->list[i].n_seen >= 2 || l->list[i].hit.cn0_dbhz > best - SURE_DB;
}

void gn_acq_listing_unmask(const struct gn_acq_listing *l, uint64_t mask[4])
{
    for (uint32_t i = 0; i < l->n; i++) {
        const struct gn_msg_acq_hit *hit = &l->list[i].hit;
        uint32_t base = hit->signal == GN_SIG_SBAS_L1 ? 120 : 1;
        if (l->list[i].n_seen >= 3 || (gn_acq_listing_is_sure(l, i) && hit->cn0_dbhz > STRONG_DBHZ))
            mask[hit->signal] &= ~(UINT64_C(1) << (hit->prn - base));
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

bool gn_acq_listing_center(const struct gn_acq_listing *l, double *ret_hz)
{
    double v[GN_ACQ_HITS_MAX];
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->n; i++)
        if (gn_acq_listing_is_sure(l, i))
            v[n++] = l->list[i].hit.doppler_hz;
    if (n == 0)
        return false;
    qsort(v, n, sizeof v[0], by_value);
    *ret_hz = v[n / 2];
    return true;
}
