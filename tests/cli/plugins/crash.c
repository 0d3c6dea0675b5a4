/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A plugin whose constructor dies. */
#include <stdlib.h>

__attribute__((constructor)) static void die(void)
{
    abort();
}
