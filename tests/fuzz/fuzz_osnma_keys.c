/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Trust anchors and page rows from any bytes: a refusal has words and leaves the result alone; what is accepted
 * holds points on their curves. */
#include "lib/osnma/keys.h"
#include "lib/osnma/pagefile.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gn_osnma_anchor a = {.has_root = 77};
    struct gn_osnma_page page = {.prn = 99};
    struct gn_error err = {0};
    gn_status st = gn_osnma_keys_parse((const char *)data, size, NULL, true, &a, &err);
    require(st == GN_OK || (err.text[0] != '\0' && a.has_root == 77));
    for (unsigned i = 0; st == GN_OK && i < GN_OSNMA_PUBKEYS_MAX; i++) {
        const struct gn_osnma_pubkey *k = &a.pubkeys[i];
        require(!k->is_used || gn_osnma_point_ok(k->curve, k->point, gn_osnma_curves[k->curve].point_bytes));
    }
    if (gn_osnma_row_parse((const char *)data, size, &page))
        require(page.wn >= 0 && page.tow_s < 604800);
    else
        require(page.prn == 99);
    return 0;
}
