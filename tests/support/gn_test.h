/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What every test includes: cmocka, and a check that names the table row. */
#ifndef GN_TEST_H
#define GN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* `where` names the table row, so a failure says which vector broke */
#define GN_CHECK(where, cond)                                                                      \
    do {                                                                                           \
        if (!(cond))                                                                               \
            fail_msg("%s:%d: [%s] %s", __FILE__, __LINE__, (where), #cond);                        \
    } while (0)

/* |got - want| <= tol, with the numbers in the message */
#define GN_NEAR(where, got, want, tol)                                                             \
    do {                                                                                           \
        double got_ = (double)(got), want_ = (double)(want), tol_ = (double)(tol);                 \
        if (!(got_ - want_ <= tol_ && want_ - got_ <= tol_))                                       \
            fail_msg("%s:%d: [%s] %s = %.12g, want %.12g +- %.3g", __FILE__, __LINE__, (where),    \
                    #got, got_, want_, tol_);                                                      \
    } while (0)

/* Folder of the recordings: GNOMON_DATA, else ../shared/data beside the source tree; NULL when absent. */
static inline const char *gn_test_data(void)
{
    static char path[4096];
    const char *env = getenv("GNOMON_DATA");
    (void)snprintf(path, sizeof path, "%s", env != NULL ? env : GN_SOURCE_DIR "/../shared/data");
    FILE *f = NULL;
    char probe[4200];
    (void)snprintf(probe, sizeof probe, "%s/README.md", path);
    f = fopen(probe, "rb");
    if (f == NULL)
        return NULL;
    (void)fclose(f);
    return path;
}

#endif
