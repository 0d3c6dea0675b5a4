/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* GN_CLONES before a function with plain loops: the compiler makes it for several vector widths and
 * the loader takes the widest the CPU has. Loops whose items do not depend on each other give equal
 * results in all of them (the build forbids fused arithmetic). Sanitizers cannot run such choices
 * at load time. */
#ifndef GN_SIM_CLONES_H
#define GN_SIM_CLONES_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
        !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define GN_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define GN_CLONES
#endif

#endif
