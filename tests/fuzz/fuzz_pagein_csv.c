/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "fuzz_pagein.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(GN_PAGEIN_CSV, data, size);
    (void)read_all(GN_PAGEIN_CSV, true, data, size, 100); /* strict: a refusal has words */
    return 0;
}
