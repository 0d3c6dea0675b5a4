/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "fuzz_pagein.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(GN_PAGEIN_SBF, data, size);
    return 0;
}
