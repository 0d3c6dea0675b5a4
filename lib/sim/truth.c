/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/sim/truth.h"

#include "lib/geo/geo.h"
#include "lib/gnss/signal.h"

#include <math.h>

#define DEG    (3.14159265358979323846 / 180)
#define STEP_S 1e-3 /* of the difference that gives Doppler */

static void sat_truth(struct gn_sim_sky *sky, uint32_t i, double t_s, struct gn_msg_sim_sat *ret)
{
    struct gn_sim_channel *c = &sky->channels[i];
    double code = 0, ahead = 0, before = 0, before_ahead = 0, after = 0, after_ahead = 0;
    struct gn_sim_way way;
    gn_sim_sky_offsets(sky, i, fmax(t_s - STEP_S, 0), &before, &before_ahead);
    gn_sim_sky_offsets(sky, i, t_s + STEP_S, &after, &after_ahead);
    gn_sim_sky_offsets(sky, i, t_s, &code, &ahead);
    gn_sim_way(&sky->scene, &c->message.eph, t_s, &way);
    double span_s = t_s + STEP_S - fmax(t_s - STEP_S, 0);
    double periods = (sky->scene.start.tow_s + t_s + code) * 1.023e6 /
                     gn_signal_table[c->message.eph.signal].code_chips;
    *ret = (struct gn_msg_sim_sat){.signal = c->message.eph.signal, .prn = c->message.eph.prn,
            .pseudorange_m = -code * GN_C_MPS,
            .carrier_cycles = -GN_F_L1_HZ * (code + ahead),
            .doppler_hz = GN_F_L1_HZ * (after + after_ahead - before - before_ahead) / span_s,
            .code_chips = (periods - floor(periods)) * gn_signal_table[c->message.eph.signal].code_chips,
            .cn0_dbhz = (float)gn_sim_cn0_dbhz(
                    &sky->scene, &c->message.eph, t_s, way.elevation_rad),
            .elevation_deg = (float)(way.elevation_rad / DEG),
            .azimuth_deg = (float)(way.azimuth_rad / DEG)};
}

void gn_sim_truth(struct gn_sim_sky *sky, uint64_t n, struct gn_msg_sim_truth *ret)
{
    const struct gn_sim_scene *s = &sky->scene;
    double t_s = (double)n / s->rate_sps;
    ret->clock_bias_s = gn_sim_clock_s(s, t_s);
    ret->week = s->start.week;
    ret->tow_s = s->start.tow_s + t_s - ret->clock_bias_s;
    double weeks = floor(ret->tow_s / GN_WEEK_S);
    ret->week += (int32_t)weeks;
    ret->tow_s -= weeks * GN_WEEK_S;
    gn_sim_antenna(s, t_s, ret->ecef_m, ret->vel_ecef_mps);
    struct gn_geo geo = gn_geo_from_ecef(ret->ecef_m);
    ret->lat_deg = geo.lat_rad / DEG;
    ret->lon_deg = geo.lon_rad / DEG;
    ret->height_m = geo.height_m;
    ret->n_sats = 0;
    for (uint32_t i = 0; i < sky->n_channels; i++) {
        sat_truth(sky, i, t_s, &ret->sats[ret->n_sats]);
        ret->n_sats += sky->channels[i].amplitude > 0 && ret->n_sats < GN_MSG_SIM_SATS_MAX - 1;
    }
}
