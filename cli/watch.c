/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "cli/watch.h"

#include "gnomon/verdict.h"
#include "lib/msg/osnma.h"
#include "lib/msg/track.h"

#include <stdio.h>
#include <string.h>

void cli_watch_init(struct cli_watch *w)
{
    *w = (struct cli_watch){.n_fixes = 0};
    (void)pthread_mutex_init(&w->lock, NULL);
}

void cli_watch_done(struct cli_watch *w)
{
    (void)pthread_mutex_destroy(&w->lock);
}

static void see_fix(struct cli_watch *w, const struct gn_msg *m)
{
    const struct gn_msg_pvt_fix *fix = m->data;

    if (fix->solution == GN_SOLUTION_AUTHENTICATED && fix->trust == GN_TRUST_AUTHENTICATED) {
        w->n_authenticated++;
        w->i_last_authenticated = m->index;
    }
    if (w->n_fixes == 0 || m->index != w->i_last_fix || fix->solution == GN_SOLUTION_ALL)
        w->fix = *fix;
    w->n_fixes++;
    w->i_last_fix = m->index;
}

static void see_state(struct cli_watch *w, const struct gn_msg *m)
{
    const struct gn_msg_track_state *s = m->data;
    uint64_t bit = (uint64_t)1 << (s->channel & 63u);

    if (s->state == GN_TRACK_TRACKING)
        w->channels[s->channel >> 6] |= bit;
    else if (s->state == GN_TRACK_LOST)
        w->channels[s->channel >> 6] &= ~bit;
}

static void see_tag(struct cli_watch *w, const struct gn_msg *m)
{
    w->n_forged += ((const struct gn_msg_osnma_tag *)m->data)->verdict == GN_FORGED ? 1 : 0;
}

static void see_data(struct cli_watch *w, const struct gn_msg *m)
{
    w->n_forged += ((const struct gn_msg_osnma_data *)m->data)->forged != 0 ? 1 : 0;
}

static void see_key(struct cli_watch *w, const struct gn_msg *m)
{
    w->n_forged += ((const struct gn_msg_osnma_key *)m->data)->verdict == GN_FORGED ? 1 : 0;
}

static const struct {
    const char *event;
    size_t size; /* a plugin with another layout of that name is not looked into */
    void (*see)(struct cli_watch *w, const struct gn_msg *m);
} sights[] = {
        {"pvt.fix", sizeof(struct gn_msg_pvt_fix), see_fix},
        {"track.state", sizeof(struct gn_msg_track_state), see_state},
        {"osnma.tag", sizeof(struct gn_msg_osnma_tag), see_tag},
        {"osnma.data", sizeof(struct gn_msg_osnma_data), see_data},
        {"osnma.key", sizeof(struct gn_msg_osnma_key), see_key},
        {"osnma.kroot", sizeof(struct gn_msg_osnma_key), see_key},
        {"osnma.pkr", sizeof(struct gn_msg_osnma_key), see_key},
        {"osnma.oam", sizeof(struct gn_msg_osnma_key), see_key},
};

void cli_watch_tap(void *user, const struct gn_msg *msg, const char *block)
{
    struct cli_watch *w = user;

    (void)block;
    for (size_t i = 0; i < GN_COUNT(sights); i++) {
        if (msg->schema->size != sights[i].size || strcmp(msg->schema->event, sights[i].event) != 0)
            continue;
        (void)pthread_mutex_lock(&w->lock);
        w->has_positioning = true;
        sights[i].see(w, msg);
        (void)pthread_mutex_unlock(&w->lock);
        return;
    }
}

bool cli_watch_has_fix(struct cli_watch *w)
{
    (void)pthread_mutex_lock(&w->lock);
    bool has_fix = w->n_fixes > 0;
    (void)pthread_mutex_unlock(&w->lock);
    return has_fix;
}

bool cli_watch_is_authentic(struct cli_watch *w)
{
    (void)pthread_mutex_lock(&w->lock);
    bool is_authentic = w->n_authenticated > 0 && w->i_last_authenticated == w->i_last_fix && w->n_forged == 0;
    (void)pthread_mutex_unlock(&w->lock);
    return is_authentic;
}

static uint32_t count_bits(uint64_t v)
{
    uint32_t n = 0;
    for (; v != 0; v &= v - 1)
        n++;
    return n;
}

void cli_watch_words(struct cli_watch *w, char *text, size_t room)
{
    uint32_t n_tracked = 0;
    char fix[80] = "no fix", forged[40] = "";

    text[0] = '\0';
    (void)pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < GN_COUNT(w->channels); i++)
        n_tracked += count_bits(w->channels[i]);
    if (w->n_fixes > 0)
        (void)snprintf(fix, sizeof fix, "fix with %u, %s", w->fix.n_used,
                w->i_last_authenticated == w->i_last_fix && w->n_authenticated > 0 ? "authenticated"
                        : (w->fix.trust < GN_TRUST_COUNT ? gn_trust_names[w->fix.trust] : ""));
    if (w->n_forged > 0)
        (void)snprintf(forged, sizeof forged, ", %llu FORGED", (unsigned long long)w->n_forged);
    if (w->has_positioning)
        (void)snprintf(text, room, "%u satellites, %s%s", n_tracked, fix, forged);
    (void)pthread_mutex_unlock(&w->lock);
}
