/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* SigMF metadata: a refusal has words and leaves the result alone; what is accepted lies within its
 * bounds. */
#include "lib/frontend/sigmf.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

static void check_accepted(const struct gn_sigmf *m)
{
    require(m->layout.format > GN_FILE_AUTO && m->layout.format < GN_FILE_FORMAT_COUNT);
    require(m->rate_sps >= 0 && m->rate_sps <= GN_SIGMF_RATE_MAX_HZ);
    require(m->n_captures >= 1 && m->n_captures <= GN_SIGMF_CAPTURES_MAX);
    require(memchr(m->dataset, '/', sizeof m->dataset) == NULL &&
            memchr(m->dataset, 0, sizeof m->dataset) != NULL);
    for (uint32_t i = 0; i < m->n_captures; i++) {
        const struct gn_sigmf_capture *c = &m->captures[i];
        require(c->sample_start <= GN_SIGMF_INDEX_MAX && c->header_bytes <= GN_SIGMF_INDEX_MAX);
        require(c->t.frac_ps < GN_PS_PER_S && (i == 0 || c->sample_start > (c - 1)->sample_start));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gn_sigmf *m = calloc(1, sizeof *m);
    struct gn_error err = {0};
    if (m == NULL)
        return 0;
    m->n_captures = 12345;
    if (gn_sigmf_parse((const char *)data, size, m, &err) == GN_OK)
        check_accepted(m);
    else
        require(err.text[0] != '\0' && err.status < 0 && m->n_captures == 12345);
    free(m);
    return 0;
}
