/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/acq/resample.h"

void gn_acq_resample_init(struct gn_acq_resample *r, double rate_sps)
{
    *r = (struct gn_acq_resample){.step = rate_sps / GN_ACQ_RATE_SPS};
    r->edge = r->step;
}

/* One input sample: closes every output sample that ends inside it (several when the input is
 * slower). Returns how many were made. */
static inline size_t take(struct gn_acq_resample *r, double i, double q, float (*ret)[2])
{
    double begin = (double)r->n_in, end = begin + 1;
    size_t n = 0;

    while (r->edge <= end) {
        double part = r->edge - begin;
        ret[n][0] = (float)((r->sum[0] + part * i) / r->step);
        ret[n][1] = (float)((r->sum[1] + part * q) / r->step);
        r->sum[0] = r->sum[1] = 0;
        begin = r->edge;
        n++;
        r->n_out++;
        r->edge = (double)(r->n_out + 1) * r->step;
    }
    r->sum[0] += (end - begin) * i;
    r->sum[1] += (end - begin) * q;
    r->n_in++;
    return n;
}

size_t gn_acq_resample_burst(const struct gn_acq_resample *r)
{
    return (size_t)(1.0 / r->step) + 1;
}

size_t gn_acq_resample_ci8(struct gn_acq_resample *r, const int8_t *in, size_t n, float (*ret)[2],
        size_t room, size_t *n_taken)
{
    size_t made = 0, i = 0, most = gn_acq_resample_burst(r);

    for (; i < n && made + most <= room; i++)
        made += take(r, in[2 * i], in[2 * i + 1], ret + made);
    *n_taken = i;
    return made;
}

size_t gn_acq_resample_ci16(struct gn_acq_resample *r, const int16_t *in, size_t n, float (*ret)[2],
        size_t room, size_t *n_taken)
{
    size_t made = 0, i = 0, most = gn_acq_resample_burst(r);

    for (; i < n && made + most <= room; i++)
        made += take(r, in[2 * i], in[2 * i + 1], ret + made);
    *n_taken = i;
    return made;
}

double gn_acq_delay_s(double delay_samples, double rate_sps)
{
    return delay_samples / GN_ACQ_RATE_SPS - 0.5 / rate_sps;
}
