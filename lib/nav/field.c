/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/field.h"

#include "lib/bits/bits.h"
#include "lib/gnss/signal.h"

#include <math.h>
#include <string.h>

static double step_of(const struct gn_nav_field *f)
{
    return f->kind == GN_NAV_CIRCLE ? f->step * GN_PI : f->step;
}

void gn_nav_fields_read(const struct gn_nav_field *rows, size_t n_rows, unsigned unit,
        const uint8_t *bits, size_t n_bits, void *ret)
{
    for (size_t i = 0; i < n_rows; i++) {
        const struct gn_nav_field *f = &rows[i];
        if (f->unit != unit)
            continue;
        double raw = f->kind == GN_NAV_UNSIGNED ? (double)gn_bits_get(bits, n_bits, f->at, f->n)
                                                : (double)gn_bits_get_s(bits, n_bits, f->at, f->n);
        double v = raw * step_of(f);
        memcpy((char *)ret + f->offset, &v, sizeof v);
    }
}

/* steps nearest to v that the field can say */
static int64_t clamp(const struct gn_nav_field *f, double v, bool *fits)
{
    double steps = round(v / step_of(f));
    double lo = f->kind == GN_NAV_UNSIGNED ? 0 : -ldexp(1, f->n - 1);
    double hi = f->kind == GN_NAV_UNSIGNED ? ldexp(1, f->n) - 1 : ldexp(1, f->n - 1) - 1;
    if (f->kind == GN_NAV_CIRCLE && f->step == ldexp(1, 1 - f->n))
        steps -= 2 * -lo * floor((steps - lo) / (2 * -lo)); /* a full circle: wrap */
    *fits = *fits && steps >= lo && steps <= hi;
    return (int64_t)fmin(fmax(steps, lo), hi);
}

bool gn_nav_fields_write(const struct gn_nav_field *rows, size_t n_rows, unsigned unit,
        const void *src, uint8_t *bits, size_t n_bits)
{
    bool fits = true;
    for (size_t i = 0; i < n_rows; i++) {
        if (rows[i].unit != unit)
            continue;
        double v;
        memcpy(&v, (const char *)src + rows[i].offset, sizeof v);
        uint64_t raw = (uint64_t)clamp(&rows[i], v, &fits);
        fits = gn_bits_set(bits, n_bits, rows[i].at, rows[i].n, raw) && fits;
    }
    return fits;
}
