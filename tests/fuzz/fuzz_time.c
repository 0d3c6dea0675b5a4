/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Text of a time: a refusal has a column and words; accept, print, accept again gives the same
 * moment. */
#include "lib/time/time.h"

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
    char text[256] = "", printed[GN_TIME_TEXT];
    struct gn_time t = {0}, again = {0};
    struct gn_error err = {0};
    enum gn_time_scale scale = GN_TIME_NONE;
    memcpy(text, data, size < sizeof text ? size : sizeof text - 1);
    if (gn_time_parse(text, &t, &scale, &err) != GN_OK) {
        require(err.column >= 1 && err.text[0] != '\0');
        return 0;
    }
    require(gn_time_print(t, scale, 12, printed) == GN_OK);
    require(gn_time_parse(printed, &again, NULL, NULL) == GN_OK);
    require(again.tai_s == t.tai_s && again.frac_ps == t.frac_ps);
    return 0;
}
