/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Coupon stores. Oracles: a refusal has words; a store that
 * opens gives rising indexes, no more than it says are left, and goes on behind them when opened again. */
#include "lib/gpsauth/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

static void use(const char *path, const uint8_t *id, uint64_t *floor)
{
    struct gn_error err = {.status = GN_OK};
    struct gn_ga_store *s = NULL;
    uint8_t x[GN_GA_X_BYTES];
    uint64_t index = 0;

    if (gn_ga_store_open(path, id, NULL, &s, &err) != GN_OK) {
        require(s == NULL && err.text[0] != '\0');
        return;
    }
    for (uint32_t left = gn_ga_store_left(s), k = 0; k < 5; k++) {
        const gn_status st = gn_ga_store_burn(s, &index, x, &err);
        require((st == GN_OK) == (k < left));
        require(st != GN_OK || index >= *floor);
        *floor = st == GN_OK ? index + 1 : *floor;
    }
    gn_ga_store_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    uint8_t id[GN_GA_KEY_ID_BYTES] = {0};
    char path[64];
    uint64_t floor = 0;

    if (n >= 28)
        memcpy(id, data + 20, sizeof id);
    (void)snprintf(path, sizeof path, "/tmp/gn_fuzz_%ld.cpn", (long)getpid());
    FILE *f = fopen(path, "wb");
    require(f != NULL && fwrite(data, 1, n, f) == n && fclose(f) == 0);
    use(path, id, &floor);
    use(path, id, &floor);
    (void)unlink(path);
    return 0;
}
