/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Any message as one line of JSON, from its schema table alone. Numbers are printed the same on every machine:
 * '.' whatever the locale, no "-0", unknown values and what JSON cannot say (NaN, infinities) are left out. */
#ifndef GN_EVENT_JSON_H
#define GN_EVENT_JSON_H

#include "gnomon/schema.h"
#include "gnomon/status.h"

#include <stdbool.h>

/* Text that grows in the caller's buffer. n goes on counting when room is used up: n >= room means cut. */
struct gn_text {
    char *buf;
    size_t room, n;
};

void gn_text_raw(struct gn_text *t, const char *s);
void gn_text_format(struct gn_text *t, const char *fmt, ...) GN_PRINTF(2, 3);
void gn_text_string(struct gn_text *t, const char *s, size_t n_bytes); /* quoted and escaped; bad UTF-8 is replaced */
/* decimals 0: as many digits as tell the double, at most 15. x must be finite. */
void gn_text_real(struct gn_text *t, double x, uint32_t decimals);

struct gn_event_clock {
    double rate_sps;  /* 0: none */
    bool has_samples; /* index counts samples and is printed */
};

/* {"v":1,"event":...,"index":...,"t":..., fields}. Zero-ended. Returns its length; 0: the schema names no event
 * or room is too small. [any thread] */
size_t gn_event_line(const struct gn_schema *schema, const void *data, uint64_t index,
        const struct gn_event_clock *clock, char *buf, size_t room);

#endif
