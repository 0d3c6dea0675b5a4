/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Word 16: eight numbers from which a first position can be had before words 1 to 4 are complete.
 */
#include "lib/nav/inav_words.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"
#include "lib/nav/field.h"

#include <math.h>
#include <string.h>

#define NOMINAL_A_M   29600000.0
#define NOMINAL_I_RAD (56.0 / 180.0 * GN_PI)

struct reduced {
    double delta_a_m, ex, ey, delta_i0_rad, omega0_rad, lambda0_rad, af0_s, af1;
};
#define RED(member_, at_, n_, kind_, step_)                                                        \
    GN_NAV_FIELD(struct reduced, member_, 16, at_, n_, kind_, step_)

static const struct gn_nav_field rows[] = {
        RED(delta_a_m, 6, 5, SIGNED, 0x1p8),
        RED(ex, 11, 13, SIGNED, 0x1p-22),
        RED(ey, 24, 13, SIGNED, 0x1p-22),
        RED(delta_i0_rad, 37, 17, CIRCLE, 0x1p-22),
        RED(omega0_rad, 54, 23, CIRCLE, 0x1p-22),
        RED(lambda0_rad, 77, 23, CIRCLE, 0x1p-22),
        RED(af0_s, 100, 22, SIGNED, 0x1p-26),
        RED(af1, 122, 6, SIGNED, 0x1p-35),
};

static uint32_t reference_s(uint32_t tow_s)
{
    return (30 * (tow_s / 30) + 1) % GN_WEEK_S;
}

void gn_inav_reduced_read(
        const uint8_t word16[GN_INAV_WORD_BYTES], uint32_t tow_s, struct gn_ephemeris *eph)
{
    struct reduced r = {0};
    gn_nav_fields_read(rows, GN_COUNT(rows), 16, word16, 128, &r);
    memset(eph, 0, sizeof *eph);
    eph->signal = GN_SIG_GAL_E1;
    eph->source = GN_EPH_SRC_INAV_RED;
    eph->ura_sisa = 255;
    eph->toe_s = eph->toc_s = reference_s(tow_s);
    eph->sqrt_a = sqrt(NOMINAL_A_M + r.delta_a_m);
    eph->e = hypot(r.ex, r.ey);
    eph->omega_rad = atan2(r.ey, r.ex);
    eph->m0_rad = remainder(r.lambda0_rad - eph->omega_rad, 2 * GN_PI);
    eph->i0_rad = NOMINAL_I_RAD + r.delta_i0_rad;
    eph->omega0_rad = r.omega0_rad;
    eph->af0_s = r.af0_s;
    eph->af1 = r.af1;
}

bool gn_inav_reduced_write(const struct gn_ephemeris *eph, uint8_t word[GN_INAV_WORD_BYTES])
{
    struct reduced r = {.delta_a_m = eph->sqrt_a * eph->sqrt_a - NOMINAL_A_M,
            .ex = eph->e * cos(eph->omega_rad),
            .ey = eph->e * sin(eph->omega_rad),
            .delta_i0_rad = eph->i0_rad - NOMINAL_I_RAD,
            .omega0_rad = eph->omega0_rad,
            .lambda0_rad = eph->m0_rad + eph->omega_rad,
            .af0_s = eph->af0_s,
            .af1 = eph->af1};
    memset(word, 0, GN_INAV_WORD_BYTES);
    word[0] = 16u << 2;
    return gn_nav_fields_write(rows, GN_COUNT(rows), 16, &r, word, 128);
}

/* Where the harmonic corrections put the satellite at dt_s: argument of latitude, radius,
 * inclination. */
struct place {
    double u_rad, r_m, i_rad;
};

static struct place place_at(const struct gn_ephemeris *eph, double dt_s)
{
    double a = eph->sqrt_a * eph->sqrt_a;
    double m = eph->m0_rad + (sqrt(GN_MU_GAL / (a * a * a)) + eph->delta_n_rps) * dt_s;
    double ecc = m;
    for (int i = 0; i < 12; i++)
        ecc = m + eph->e * sin(ecc);
    double v = atan2(sqrt(1 - eph->e * eph->e) * sin(ecc), cos(ecc) - eph->e);
    double phi = v + eph->omega_rad, c = cos(2 * phi), s = sin(2 * phi);
    return (struct place){.u_rad = phi + eph->cuc_rad * c + eph->cus_rad * s,
            .r_m = a * (1 - eph->e * cos(ecc)) + eph->crc_m * c + eph->crs_m * s,
            .i_rad = eph->i0_rad + eph->idot_rps * dt_s + eph->cic_rad * c + eph->cis_rad * s};
}

/* The word has room for neither corrections nor rates: keep the shape of the orbit (e, omega), then
 * shift the anomaly so that the satellite stands where the full model puts it. The axis comes in
 * steps of 256 m: the clock takes up what the radius lacks, as in the words the satellites send. */
void gn_inav_reduce(const struct gn_ephemeris *full, uint32_t tow_s, struct gn_ephemeris *ret)
{
    double dt_s = remainder((double)reference_s(tow_s) - full->toe_s, GN_WEEK_S);
    double dc_s = remainder((double)reference_s(tow_s) - full->toc_s, GN_WEEK_S);
    double a = full->sqrt_a * full->sqrt_a, n = sqrt(GN_MU_GAL / (a * a * a)) + full->delta_n_rps;
    struct place want = place_at(full, dt_s);
    struct gn_ephemeris flat = *full;
    flat.cuc_rad = flat.cus_rad = flat.crc_m = flat.crs_m = flat.cic_rad = flat.cis_rad = 0;
    struct place have = place_at(&flat, dt_s);

    *ret = flat;
    ret->has_ced = 0;
    ret->source = GN_EPH_SRC_INAV_RED;
    ret->toe_s = ret->toc_s = reference_s(tow_s);
    double a_want = a + want.r_m - have.r_m;
    double a_sent = NOMINAL_A_M + 256 * round((a_want - NOMINAL_A_M) / 256);
    ret->sqrt_a = sqrt(a_sent);
    ret->m0_rad = remainder(full->m0_rad + n * dt_s + want.u_rad - have.u_rad, 2 * GN_PI);
    ret->i0_rad = want.i_rad;
    ret->omega0_rad = full->omega0_rad + full->omegadot_rps * dt_s;
    ret->af0_s =
            full->af0_s + full->af1 * dc_s + full->af2 * dc_s * dc_s + (a_sent - a_want) / GN_C_MPS;
    ret->af1 = full->af1 + 2 * full->af2 * dc_s;
    ret->delta_n_rps = ret->omegadot_rps = ret->idot_rps = ret->af2 = ret->tgd_s = ret->bgd_e5a_s =
            0;
}
