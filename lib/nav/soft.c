/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/nav/soft.h"

#include <string.h>

static void begin_at(struct gn_soft *s, uint64_t number)
{
    s->first = s->end = number;
}

void gn_soft_push(struct gn_soft *s, uint64_t number, const float *soft, size_t n)
{
    if (s->first == s->end || number < s->end || number - s->end >= GN_SOFT_ROOM)
        begin_at(s, number);
    for (; s->end < number; s->end++)
        s->v[s->end % GN_SOFT_ROOM] = 0;
    for (size_t i = 0; i < n; i++, s->end++)
        s->v[s->end % GN_SOFT_ROOM] = soft[i];
    if (s->end - s->first > GN_SOFT_ROOM)
        s->first = s->end - GN_SOFT_ROOM;
}

float gn_soft_at(const struct gn_soft *s, uint64_t k)
{
    return k >= s->first && k < s->end ? s->v[k % GN_SOFT_ROOM] : 0;
}

void gn_soft_copy(const struct gn_soft *s, int64_t from, size_t n, float *ret)
{
    for (size_t i = 0; i < n; i++) {
        int64_t k = from + (int64_t)i;
        ret[i] = k >= 0 ? gn_soft_at(s, (uint64_t)k) : 0;
    }
}
