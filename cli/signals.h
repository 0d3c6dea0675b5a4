/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* SIGINT and SIGTERM, heard by a thread of their own: also while a driver hangs in start(), work() or stop().
 * The first is kept and said on stderr, the second ends the process at once with 130. Signals within a quarter of a
 * second of the first belong to it: timeout(1) and supervisors send each one twice. */
#ifndef GN_CLI_SIGNALS_H
#define GN_CLI_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct cli_signals {
    sigset_t set;
    _Atomic bool has_heard; /* written by the listener, read by cli_signals_heard() */
    _Atomic bool is_over;     /* written by cli_signals_stop() */
    pthread_t thread;
    bool is_listening;
};

/* Block the signals in this thread and all it makes, and listen. Call before any other thread is made. [control] */
void cli_signals_start(struct cli_signals *s);
/* Has one come? [any thread] */
bool cli_signals_heard(struct cli_signals *s);
/* The listener has left when this returns. A struct never started is fine. [control] */
void cli_signals_stop(struct cli_signals *s);

#endif
