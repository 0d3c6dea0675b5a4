/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What the command line wants to know of a receiver's events: fix, authentication, satellites. The only
 * place of the program outside plugins that knows names such as pvt.fix. */
#ifndef GN_CLI_WATCH_H
#define GN_CLI_WATCH_H

#include "gnomon/block.h"
#include "lib/msg/pvt.h"

#include <pthread.h>
#include <stdbool.h>

struct cli_watch {
    pthread_mutex_t lock;
    bool has_positioning;      /* a pvt.fix was seen: progress speaks of a fix */
    uint64_t n_fixes, n_authenticated, n_forged;
    uint64_t i_last_fix, i_last_authenticated; /* ticks of the newest epochs */
    struct gn_msg_pvt_fix fix; /* newest, solution `all` when there is one */
    uint64_t channels[4];      /* bit c: channel c tracks */
};

void cli_watch_init(struct cli_watch *w);
void cli_watch_done(struct cli_watch *w);

/* A tap of gn_run_config; user is the watch. [a worker] */
void cli_watch_tap(void *user, const struct gn_msg *msg, const char *block);

/* The newest epoch has an authenticated solution, and nothing was called forged. [any thread] */
bool cli_watch_is_authentic(struct cli_watch *w);
bool cli_watch_has_fix(struct cli_watch *w);

/* "9 tracked, fix with 8, authenticated"; "" when there is nothing to say. */
void cli_watch_words(struct cli_watch *w, char *text, size_t room);

#endif
