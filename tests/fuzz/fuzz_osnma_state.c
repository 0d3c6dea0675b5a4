/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* State files from any bytes, as they are and with a checksum that fits: a refusal has words, what is read writes the
 * same again, and without anchors no start is ever warmer than none. */
#include "lib/osnma/state.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

static void check(const uint8_t *data, size_t size)
{
    struct gn_osnma_state s = {.n_pkrs = 77}, again;
    struct gn_osnma_config config = {0};
    struct gn_error err = {0};
    uint8_t out[GN_OSNMA_STATE_FILE_MAX];
    char why[96];
    bool is_alert = true;
    gn_status st = gn_osnma_state_read(data, size, &s, &err);
    require(st == GN_OK || (st == GN_E_DATA && err.text[0] != '\0' && s.n_pkrs == 77));
    if (st != GN_OK)
        return;
    size_t n = gn_osnma_state_write(&s, out, sizeof out);
    require(n > 0 && gn_osnma_state_read(out, n, &again, &err) == GN_OK);
    require(again.n_pkrs == s.n_pkrs && again.kroot_bytes == s.kroot_bytes && again.key.sf == s.key.sf);
    require(gn_osnma_state_apply(&s, &config, &is_alert, why) == GN_OSNMA_START_NONE && !is_alert);
    require(!config.has_start_key && !config.anchor.has_kroot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t sealed[GN_OSNMA_STATE_FILE_MAX];
    check(data, size);
    if (size < 16 || size + 32 > sizeof sealed)
        return 0;
    memcpy(sealed, data, size);
    for (unsigned i = 0; i < 4; i++)
        sealed[12 + i] = (uint8_t)((size - 16) >> (8 * i));
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    require(c != NULL && gn_osnma_hash(c, GN_OSNMA_SHA256, sealed, size, sealed + size));
    gn_osnma_crypto_free(c);
    check(sealed, size + 32);
    return 0;
}
