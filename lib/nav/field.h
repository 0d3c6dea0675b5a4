/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* One table row per broadcast number: where it sits in a message and in a C struct, and what one
 * step is worth. The same table reads and writes, so decoder and simulator cannot disagree. */
#ifndef GN_NAV_FIELD_H
#define GN_NAV_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gn_nav_field_kind { GN_NAV_UNSIGNED = 0, GN_NAV_SIGNED, GN_NAV_CIRCLE };

struct gn_nav_field {
    uint16_t offset; /* of a double in the struct */
    uint8_t unit;    /* sub-frame or word type */
    uint8_t at, n;   /* bits of that sub-frame or word */
    uint8_t kind; /* CIRCLE: signed semicircles in the message, radians in the struct, wraps around
                   */
    double step;  /* value of the last bit, in the ICD's unit */
};

/* For system-wide models: the v[] of struct gn_msg_nav_model. */
struct gn_nav_values {
    double v[8];
};

#define GN_NAV_FIELD(struct_, member_, unit_, at_, n_, kind_, step_)                               \
    {                                                                                              \
        (uint16_t) offsetof(struct_, member_), (unit_), (at_), (n_), GN_NAV_##kind_, (step_)       \
    }

/* Read all rows of `unit` from bits[n_bits] into the struct at ret. [any thread] */
void gn_nav_fields_read(const struct gn_nav_field *rows, size_t n_rows, unsigned unit,
        const uint8_t *bits, size_t n_bits, void *ret);

/* Write all rows of `unit`, rounded to the nearest step. False when some value did not fit: the
 * nearest one that does was written. Values must be finite. [any thread] */
bool gn_nav_fields_write(const struct gn_nav_field *rows, size_t n_rows, unsigned unit,
        const void *src, uint8_t *bits, size_t n_bits);

#endif
