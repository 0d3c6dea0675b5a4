/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Key files. Oracles: a refusal has words; what was read prints as text that reads and prints the same. */
#include "lib/gpsauth/key.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct gn_ga_key *a = calloc(2, sizeof *a), *b = a + 1;
    char *text = calloc(2, GN_GA_KEY_TEXT_MAX), *again = text + GN_GA_KEY_TEXT_MAX;
    struct gn_error err = {.status = GN_OK};

    require(a != NULL && text != NULL);
    if (gn_ga_key_parse((const char *)data, n, a, &err) == GN_OK) {
        const size_t k = gn_ga_key_print(a, true, text);
        require(k < GN_GA_KEY_TEXT_MAX && gn_ga_key_parse(text, k, b, &err) == GN_OK);
        require(gn_ga_key_print(b, true, again) == k && memcmp(text, again, k) == 0);
    } else
        require(err.text[0] != '\0');
    free(text);
    free(a);
    return 0;
}
