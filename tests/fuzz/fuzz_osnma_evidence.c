/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Evidence bundles from any bytes: a refusal has words; what is read is never authentic to a checker without anchors;
 * it prints and reads again as the same. */
#include "lib/osnma/evidence.h"

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
    struct gn_evidence *e = NULL, *back = NULL;
    struct gn_error err = {0};
    gn_verdict verdict = GN_AUTHENTIC;
    gn_status st = gn_evidence_parse((const char *)data, size, &e, &err);
    require(st == GN_OK ? e != NULL : e == NULL && err.text[0] != '\0');
    if (st != GN_OK)
        return 0;
    json_t *report = gn_evidence_check(e, NULL, &verdict), *bundle = gn_evidence_json(e);
    require(report != NULL && bundle != NULL && verdict != GN_AUTHENTIC);
    char *text = json_dumps(bundle, 0);
    require(text != NULL);
    if (gn_evidence_parse(text, strlen(text), &back, &err) == GN_OK) { /* a bundle without claims is read, not written */
        json_t *again = gn_evidence_json(back);
        require(json_equal(again, bundle));
        json_decref(again);
    }
    free(text);
    free(back);
    free(e);
    json_decref(report);
    json_decref(bundle);
    return 0;
}
