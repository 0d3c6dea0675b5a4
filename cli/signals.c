/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "cli/signals.h"

#include "cli/command.h"

#include <unistd.h>

static void say(const char *words, size_t n)
{
    ssize_t put = write(STDERR_FILENO, words, n); /* stdio's lock may be held by whoever hangs */
    (void)put;
}

static void *listen_to_signals(void *arg)
{
    static const char first[] = "\ngnomon: ending here; once more to force\n";
    struct cli_signals *s = arg;
    int sig = 0;

    for (;;) {
        if (sigwait(&s->set, &sig) != 0)
            continue;
        if (atomic_load_explicit(&s->is_over, memory_order_acquire)) /* cli_signals_stop() woke us */
            return NULL;
        if (atomic_fetch_add_explicit(&s->n_heard, 1, memory_order_release) > 0)
            _exit(CLI_INTERRUPTED);
        say(first, sizeof first - 1);
    }
}

void cli_signals_start(struct cli_signals *s)
{
    (void)sigemptyset(&s->set);
    (void)sigaddset(&s->set, SIGINT);
    (void)sigaddset(&s->set, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &s->set, NULL);
    s->is_listening = pthread_create(&s->thread, NULL, listen_to_signals, s) == 0;
    if (!s->is_listening) /* better the system's own way than none */
        (void)pthread_sigmask(SIG_UNBLOCK, &s->set, NULL);
}

bool cli_signals_heard(struct cli_signals *s)
{
    return atomic_load_explicit(&s->n_heard, memory_order_acquire) > 0; /* after the listener's add */
}

void cli_signals_stop(struct cli_signals *s)
{
    if (!s->is_listening)
        return;
    atomic_store_explicit(&s->is_over, true, memory_order_release); /* pairs with the listener's load */
    (void)pthread_kill(s->thread, SIGTERM); /* pthread_cancel() would load libgcc_s */
    (void)pthread_join(s->thread, NULL);
    s->is_listening = false;
}
