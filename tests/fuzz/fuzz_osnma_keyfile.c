/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Key files of the service centre from any bytes: a refusal has words, what is accepted loads again as KEYS.json. */
#include "lib/osnma/keyfile.h"

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
    struct gn_osnma_keyfile f = {.has_root = 77};
    struct gn_osnma_merge how = {0};
    struct gn_osnma_anchor a;
    struct gn_error err = {0};
    bool changed = false;
    gn_status st = gn_osnma_keyfile_parse(data, size, "x", &f, &err);
    require(st == GN_OK || (err.text[0] != '\0' && f.has_root == 77));
    if (st != GN_OK)
        return 0;
    require(f.has_root || f.has_key);
    if (f.key.pkid == 0)
        f.key.pkid = 1;
    json_t *set = json_object();
    require(gn_osnma_keyfile_merge(&f, &how, set, &changed, &err) == GN_OK && changed);
    char *text = json_dumps(set, 0);
    require(text != NULL && gn_osnma_keys_parse(text, strlen(text), NULL, false, &a, &err) == GN_OK);
    free(text);
    json_decref(set);
    return 0;
}
