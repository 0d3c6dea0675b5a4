/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* "Did you mean": the word of a list that is nearest to what was written. */
#ifndef GN_TEXT_SUGGEST_H
#define GN_TEXT_SUGGEST_H

#include <stddef.h>

/* Keeps the best candidate seen. Start with {.word = "dopler_max"}. */
struct gn_suggest {
    const char *word;
    const char *best; /* NULL: nothing near enough */
    size_t distance;
};

/* Offer one candidate; the first of equals wins. NULL is ignored. [any thread] */
void gn_suggest_offer(struct gn_suggest *s, const char *candidate);

/* Insertions, deletions, replacements, swaps of neighbours; letters' case costs nothing. Words longer
 * than 63 bytes are compared by their first 63. [any thread] */
size_t gn_suggest_distance(const char *a, const char *b);

#endif
