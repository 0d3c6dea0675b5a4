/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/platform/thread.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void gn_thread_lower_priority(void)
{
    struct sched_param none = {0};
    (void)sched_setscheduler(0, SCHED_BATCH, &none); /* 0: this thread; refused is fine */
    (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
}

uint32_t gn_thread_n_cores(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (uint32_t)n : 1;
}
