/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A source that ends with one position and one verdict: for the exit codes of --require-fix and --require-auth. */
#include "gnomon/block.h"
#include "gnomon/verdict.h"
#include "lib/msg/osnma.h"
#include "lib/msg/pvt.h"

#include <string.h>
#include <unistd.h>

struct state {
    uint8_t has_fix, is_authentic, is_forged, is_failing;
    int32_t stuck;
};

enum { STUCK_NEVER = 0, STUCK_START, STUCK_WORK };
static const char *const stuck_names[] = {"never", "start", "work", NULL};

/* A driver whose device never answers. */
static void hang(void)
{
    for (;;)
        (void)sleep(1);
}

static const struct gn_port ports[] = {
        {.name = "out", .formats = "ci8", .dir = GN_OUT},
        {.name = "fix", .schema = &gn_schema_pvt_fix, .dir = GN_OUT},
        {.name = "tags", .schema = &gn_schema_osnma_tag, .dir = GN_OUT},
};

static gn_status start(void *state, const struct gn_host *h)
{
    const struct state *s = state;
    if (s->stuck == STUCK_START)
        hang();
    return s->is_failing ? h->fail(h, GN_E_DEVICE, "fail", "it was asked to") : GN_OK;
}

static void send_fix(const struct gn_host *h, uint8_t solution, uint8_t trust)
{
    struct gn_msg_pvt_fix *fix = h->msg_new(h, 1);

    fix->solution = solution;
    fix->trust = trust;
    fix->n_used = 5;
    h->msg_send(h, 1, 100, 100);
}

static gn_status work(void *state, const struct gn_host *h, struct gn_work *w)
{
    const struct state *s = state;

    if (s->stuck == STUCK_WORK)
        hang();
    if (w->out[0].n_room == 0)
        return GN_OK;
    memset(w->out[0].items, 0, 2);
    w->out[0].n_made = 1;
    w->is_done = 1;
    if (s->has_fix)
        send_fix(h, GN_SOLUTION_ALL, GN_TRUST_UNAUTHENTICATED);
    if (s->is_authentic)
        send_fix(h, GN_SOLUTION_AUTHENTICATED, GN_TRUST_AUTHENTICATED);
    struct gn_msg_osnma_tag *tag = h->msg_new(h, 2);
    tag->verdict = s->is_forged ? GN_FORGED : GN_AUTHENTIC;
    h->msg_send(h, 2, 100, 100);
    return GN_OK;
}

static const struct gn_param params[] = {
        GN_PARAM_X("fix", struct state, has_fix, GN_P_BOOL, "", "no", 0, 0, "send a fix", .flags = 0),
        GN_PARAM_X("auth", struct state, is_authentic, GN_P_BOOL, "", "no", 0, 0, "and an authenticated one", .flags = 0),
        GN_PARAM_X("forged", struct state, is_forged, GN_P_BOOL, "", "no", 0, 0, "a tag is forged", .flags = 0),
        GN_PARAM_X("fail", struct state, is_failing, GN_P_BOOL, "", "no", 0, 0, "refuse to start", .flags = 0),
        GN_PARAM_X("stuck", struct state, stuck, GN_P_ENUM, "", "never", 0, 0, "hang there", .choices = stuck_names),
};

static const struct gn_block source = {.name = "fixes.source", .summary = "for tests", .ports = ports,
        .n_ports = GN_COUNT(ports), .params = params, .n_params = GN_COUNT(params), .state_size = sizeof(struct state),
        .start = start, .work = work};
static const struct gn_block *const blocks[] = {&source};

GN_PLUGIN("fixes", "0.1.0", "GPL-3.0-or-later", blocks);
