/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "cli/signals.h"

#include "cli/command.h"

#include <time.h>
#include <unistd.h>

/* timeout(1), a shell or a supervisor signals the process and then its whole group: one wish, heard
 * twice. */
#define TWICE_FROM_ONE_WISH_S 0.25

static double now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void say(const char *words, size_t n)
{
    ssize_t put = write(STDERR_FILENO, words, n); /* stdio's lock may be held by whoever hangs */
    (void)put;
}

static void *listen_to_signals(void *arg)
{
    static const char first[] = "\ngnomon: ending here; once more to force\n";
    struct cli_signals *s = arg;
    double first_s = 0;
    int sig = 0;

    for (;;) {
        if (sigwait(&s->set, &sig) != 0)
            continue;
        if (atomic_load_explicit(
                    &s->is_over, memory_order_acquire)) /* cli_signals_stop() woke us */
            return NULL;
        if (!cli_signals_heard(s)) {
            first_s = now_s();
            atomic_store_explicit(&s->has_heard, true, memory_order_release);
            say(first, sizeof first - 1);
        } else if (now_s() - first_s > TWICE_FROM_ONE_WISH_S) {
            _exit(CLI_INTERRUPTED);
        }
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
    return atomic_load_explicit(
            &s->has_heard, memory_order_acquire); /* after the listener's store */
}

void cli_signals_stop(struct cli_signals *s)
{
    if (!s->is_listening)
        return;
    atomic_store_explicit(
            &s->is_over, true, memory_order_release); /* pairs with the listener's load */
    (void)pthread_kill(s->thread, SIGTERM);           /* pthread_cancel() would load libgcc_s */
    (void)pthread_join(s->thread, NULL);
    s->is_listening = false;
}
