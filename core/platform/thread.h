/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_PLATFORM_THREAD_H
#define GN_PLATFORM_THREAD_H

#include <stdint.h>

void gn_thread_lower_priority(void); /* of the calling thread: batch work that must not slow samples */
uint32_t gn_thread_n_cores(void);    /* this process may use, at least 1 */

#endif
