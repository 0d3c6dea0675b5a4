/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A chain of six million steps while 12 channels correlate at 4 Msps, through the runtime: samples come by the clock into a
 * device buffer of 100 ms, a live source takes them from there; what did not fit is lost. The walk goes to the batch pool in
 * slices as osnma.verify sends it. Prints samples lost, the longest stall (how late the oldest untaken sample was), and the same
 * without the walk.
 *
 *   bench_osnma_spread [sub-frames of 72 keys, default 86400] */
#include "lib/corr/grid.h"
#include "lib/corr/sum.h"
#include "lib/osnma/engine.h"
#include "tests/support/gn_graph_test.h"

#include <time.h>

#define RATE_SPS  4092000.0
#define MS        4092u
#define DEVICE    (100u * MS)
#define KEEP      (6u * MS)
#define CHANNELS  12u
#define BINS      2046u
#define PER_SF    72u
#define DELAY_S   0.2
#define RUN_S     10.0 /* without a walk */

struct source {
    double t0_s, worst_s;
    uint64_t n_made, n_lost, n_max;
    const _Atomic int *is_over;
};

struct tracker {
    const struct gn_corr_kernel *kernel;
    struct gn_sum sum;
    uint64_t n_ms;
    float code[BINS + 2];
    float out;
    int8_t iq[2 * (KEEP + 4 * MS)];
};

struct walker {
    struct gn_osnma_task task;
    uint8_t is_out;
    uint64_t n_slices;
    _Atomic int *is_over;
};

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static gn_status source_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct source *s = state;
    struct gn_out *out = &w->out[0];
    const struct timespec nap = {.tv_nsec = 500000};
    (void)h;
    if (s->t0_s == 0)
        s->t0_s = now_s();
    uint64_t due = (uint64_t)((now_s() - s->t0_s) * RATE_SPS);
    uint64_t taken = s->n_made + s->n_lost, waiting = due - taken;
    s->worst_s = (double)waiting / RATE_SPS > s->worst_s ? (double)waiting / RATE_SPS : s->worst_s;
    if (waiting > DEVICE)
        s->n_lost += waiting - DEVICE;
    waiting = waiting < DEVICE ? waiting : DEVICE;
    w->is_done = *s->is_over || s->n_made >= s->n_max;
    if (waiting < MS) {
        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
        return GN_OK;
    }
    uint32_t n = waiting < out->n_room ? (uint32_t)waiting : out->n_room;
    int8_t *iq = out->items;
    for (uint32_t i = 0; i < 2 * n; i++)
        iq[i] = (int8_t)((i * 37u & 31u) - 15);
    out->n_made = n;
    s->n_made += n;
    return GN_OK;
}

/* three taps of each channel over the next whole milliseconds */
static gn_status track_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct tracker *t = state;
    struct gn_in *in = &w->in[0];
    const double q32 = 4294967296.0;
    (void)h;
    if (in->n_items < 3 * MS)
        return GN_OK;
    gn_sum_reset(&t->sum);
    uint32_t offset = gn_sum_cover(&t->sum, t->kernel, in->items, 0, 3 * MS, 0, 3 * MS);
    for (uint32_t c = 0; c < CHANNELS; c++) {
        struct gn_cplx tap[GN_CORR_TAPS_MAX];
        struct gn_corr_grid g = {.start_q32 = (uint64_t)((20.0 + 0.08 * MS * c) * q32),
                .step_q32 = (uint64_t)(RATE_SPS / 2.046e6 * q32), .n_bins = BINS, .n_taps = 3,
                .phase_step_q32 = (int32_t)((700.0 * c - 4000) / 2.046e6 * q32),
                .code = {t->code + 2, t->code + 1, t->code}};
        gn_corr_grid_run(t->kernel, &t->sum, offset, &g, tap);
        t->out += tap[0].re;
    }
    t->n_ms++;
    in->n_used = MS;
    return GN_OK;
}

static void run_slice(const struct gn_job *job)
{
    (void)gn_osnma_task_run(job->arg, NULL, NULL);
}

static gn_status walk_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct walker *k = state;
    w->in[0].n_used = w->in[0].n_items;
    if (w->job_done != NULL) {
        k->is_out = 0;
        k->n_slices++;
        if (!k->task.is_more)
            *k->is_over = 1;
    }
    if (k->is_out || *k->is_over || k->task.n_left == 0)
        return GN_OK;
    k->is_out = 1;
    return h->job(h, run_slice, &k->task, w->now, DELAY_S);
}

static const struct gn_port ports[] = {{.name = "in", .dir = GN_IN, .formats = "ci8"}, {.name = "out", .dir = GN_OUT, .formats = "ci8"}};
static const struct gn_block source_block = {.name = "radio", .flags = GN_BLOCK_BLOCKS, .ports = &ports[1], .n_ports = 1,
        .state_size = sizeof(struct source), .work = source_work};
static const struct gn_block track_block = {.name = "track12", .ports = ports, .n_ports = 1,
        .state_size = sizeof(struct tracker), .work = track_work};
static const struct gn_block walk_block = {.name = "walk", .ports = ports, .n_ports = 1,
        .state_size = sizeof(struct walker), .work = walk_work};

static bool run(int64_t n_subframes)
{
    struct tg *t = tg_new("spread");
    _Atomic int is_over = 0;
    struct source *s = tg_node(t, "src", &source_block, 1);
    struct tracker *tr = tg_node(t, "trk", &track_block, 1);
    struct walker *k = tg_node(t, "walk", &walk_block, 1);
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    s->is_over = k->is_over = &is_over;
    s->n_max = (uint64_t)((n_subframes > 0 ? 3600 : RUN_S) * RATE_SPS);
    tr->kernel = gn_corr_kernel_choose(0);
    gn_sum_init(&tr->sum, GN_FMT_CI8, KEEP + MS, MS, KEEP, aligned_alloc(64, (gn_sum_bytes(GN_FMT_CI8, KEEP + MS) + 63) / 64 * 64));
    for (uint32_t i = 0; i < BINS + 2; i++)
        tr->code[i] = (i * 7919u & 64u) != 0 ? 1.0f : -1.0f;
    k->task = (struct gn_osnma_task){.kind = GN_OSNMA_TASK_WALK, .n_steps = n_subframes, .n_left = n_subframes,
            .chain = {.key_bytes = 12, .keys_a_sf = PER_SF}, .from = {.sf = 5000000, .bytes = {1, 2, 3}}};
    k->task.at = k->task.goal = k->task.from;
    if (c == NULL || gn_tesla_walk(c, &k->task.chain, &k->task.goal, n_subframes, NULL, NULL) != GN_OK)
        return false;
    gn_osnma_crypto_free(c);
    (void)tg_link(t, "src.out", "trk.in");
    (void)tg_link(t, "src.out", "walk.in");
    struct gn_anchor anchor = {.rate_sps = RATE_SPS, .is_live = 1};
    tg_plan(t, &anchor);
    struct gn_run *r = NULL;
    struct gn_run_config config = {.n_workers = 2};
    if (gn_run_new(&t->graph, &config, &r, NULL) != GN_OK || gn_run_start(r, NULL) != GN_OK || !gn_run_wait(r, -1))
        return false;
    bool ok = gn_run_result(r)->status == GN_OK && (n_subframes == 0 || k->task.verdict == GN_AUTHENTIC);
    (void)printf("%9lld steps in %3llu slices: %6.1f s of samples, %llu ms tracked by %u channels, %llu samples lost, longest stall %.1f ms%s\n",
            (long long)(n_subframes * PER_SF), (unsigned long long)k->n_slices, (double)s->n_made / RATE_SPS,
            (unsigned long long)tr->n_ms, CHANNELS, (unsigned long long)s->n_lost, 1e3 * s->worst_s, ok ? "" : "  FAILED");
    ok = ok && s->n_lost == 0;
    gn_run_free(r);
    tg_free(t);
    return ok;
}

int main(int argc, char **argv)
{
    int64_t n = argc > 1 ? atoll(argv[1]) : 86400;
    bool ok = run(0);
    return run(n) && ok ? 0 : 1;
}
