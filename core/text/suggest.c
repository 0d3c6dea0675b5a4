/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/text/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define WORD_MAX 63

static size_t min2(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* rows of the optimal string alignment table: [i % 3] so that a swap can look back two */
size_t gn_suggest_distance(const char *a, const char *b)
{
    size_t row[3][WORD_MAX + 1], n = min2(strlen(a), WORD_MAX), m = min2(strlen(b), WORD_MAX);

    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t cost = is_same(a[i - 1], b[j - 1]) ? 0 : 1;
            now[j] = min2(min2(last[j] + 1, now[j - 1] + 1), last[j - 1] + cost);
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
                now[j] = min2(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

void gn_suggest_offer(struct gn_suggest *s, const char *candidate)
{
    if (candidate == NULL)
        return;
    size_t d = gn_suggest_distance(s->word, candidate);
    size_t n = strlen(s->word), limit = n < 3 ? 1 : (n < 6 ? 2 : n / 3 + 1);
    /* a name cut short or without its prefix is near as well: "pcps" for "acq.pcps" */
    if (n >= 3 && strstr(candidate, s->word) != NULL)
        d = min2(d, limit);
    if (d > limit || (s->best != NULL && d >= s->distance))
        return;
    s->best = candidate;
    s->distance = d;
}
