/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Which kernels a run takes: for run.start, version and inspect. */
#include "cli/command.h"
#include "lib/corr/grid.h"

#include <string.h>

void cli_kernels_name(const char *choice, char *text, size_t room)
{
    bool is_portable = choice != NULL && strcmp(choice, "portable") == 0;
    const struct gn_corr_kernel *correlator = gn_corr_kernel_choose(is_portable);

    (void)snprintf(text, room, "%s: correlator=%s", is_portable ? "portable" : "auto", correlator->name);
}
