/* SPDX-License-Identifier: ISC
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GNOMON_VERDICT_H
#define GNOMON_VERDICT_H

/* A verdict is a result, never a status. Its zero is "undecided": memory nobody filled in is never authentic. */
typedef enum gn_verdict {
    GN_UNDECIDED = 0,
    GN_AUTHENTIC = 1,
    GN_FORGED = 2,
} gn_verdict;

#endif
