/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Copy chain: null source > N copies > null sink, cf32. Prints MS/s, the time a block call costs beyond its
 * memcpy, and the distance to memcpy of the same chunk in L1 and over a buffer that fits L2.
 *
 *   bench_chain [millions of samples] [workers] */
#include "tests/support/gn_graph_test.h"

#include <time.h>

#define CHUNK 512 /* what the runtime gives a source without a clock */

struct source {
    uint64_t n_left;
};

static gn_status source_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct source *s = state;
    struct gn_out *out = &w->out[0];
    uint32_t n = s->n_left < out->n_room ? (uint32_t)s->n_left : out->n_room;
    (void)h;
    memset(out->items, 0, (size_t)n * 8);
    out->n_made = n;
    s->n_left -= n;
    w->is_done = s->n_left == 0;
    return GN_OK;
}

static gn_status copy_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct gn_in *in = &w->in[0];
    struct gn_out *out = &w->out[0];
    uint32_t n = in->n_items < out->n_room ? in->n_items : out->n_room;
    (void)state;
    (void)h;
    memcpy(out->items, in->items, (size_t)n * 8);
    in->n_used = n;
    out->n_made = n;
    return GN_OK;
}

static gn_status sink_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    (void)state;
    (void)h;
    w->in[0].n_used = w->in[0].n_items;
    return GN_OK;
}

static const struct gn_port in_out[] = {{.name = "in", .dir = GN_IN, .formats = "cf32"},
        {.name = "out", .dir = GN_OUT, .formats = "cf32"}};
static const struct gn_block source_block = {.name = "null_source", .ports = &in_out[1], .n_ports = 1,
        .state_size = sizeof(struct source), .work = source_work};
static const struct gn_block copy_block = {.name = "copy", .ports = in_out, .n_ports = 2, .work = copy_work};
static const struct gn_block sink_block = {.name = "null_sink", .ports = in_out, .n_ports = 1, .work = sink_work};

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU seconds of the process: the machine may be shared. */
static double cpu_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ns per cf32 sample of memcpy, cycling through n_bytes */
static double memcpy_ns(size_t n_bytes)
{
    size_t chunk = CHUNK * 8, n_chunks = n_bytes / (2 * chunk);
    unsigned char *a = aligned_alloc(64, n_bytes / 2), *b = aligned_alloc(64, n_bytes / 2);
    double best = 1e9;
    if (a == NULL || b == NULL)
        abort();
    memset(a, 1, n_bytes / 2);
    memset(b, 1, n_bytes / 2);
    for (int round = 0; round < 7; round++) {
        double t = cpu_s();
        for (size_t i = 0; i < 40000; i++) {
            memcpy(b + i % n_chunks * chunk, a + i % n_chunks * chunk, chunk);
            __asm__ volatile("" ::: "memory");
        }
        t = cpu_s() - t;
        best = t < best ? t : best;
    }
    free(a);
    free(b);
    return best * 1e9 / 40000 / CHUNK;
}

static void run_chain(uint32_t n_copies, double n_samples, uint32_t n_workers, double *wall_s, double *used_s)
{
    struct tg *t = tg_new("chain");
    struct source *s = tg_node(t, "src", &source_block, 1);
    s->n_left = (uint64_t)n_samples;
    char from[40] = "src.out", name[40];
    for (uint32_t i = 0; i < n_copies; i++) {
        (void)snprintf(name, sizeof name, "c%u", i);
        (void)tg_node(t, name, &copy_block, 1);
        (void)snprintf(name, sizeof name, "c%u.in", i);
        (void)tg_link(t, from, name);
        (void)snprintf(from, sizeof from, "c%u.out", i);
    }
    (void)tg_node(t, "sink", &sink_block, 1);
    (void)tg_link(t, from, "sink.in");
    struct gn_anchor anchor = {0};
    tg_plan(t, &anchor);
    struct gn_run *run = NULL;
    struct gn_run_config config = {.n_workers = n_workers};
    if (gn_run_new(&t->graph, &config, &run, NULL) != GN_OK)
        abort();
    double t0 = now_s(), c0 = cpu_s();
    if (gn_run_start(run, NULL) != GN_OK || !gn_run_wait(run, -1))
        abort();
    *wall_s = now_s() - t0;
    *used_s = cpu_s() - c0;
    if (gn_run_result(run)->status != GN_OK)
        (void)printf("%s: %s\n", gn_run_result(run)->block, gn_run_result(run)->text);
    gn_run_free(run);
    tg_free(t);
}

int main(int argc, char **argv)
{
    double n_millions = argc > 1 ? atof(argv[1]) : 20;
    uint32_t n_workers = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    static const uint32_t n_copies[] = {1, 10, 50};
    double l1_ns = memcpy_ns(16384), l2_ns = memcpy_ns(1 << 20);
    (void)printf("memcpy of %d cf32: L1 %.3f ns, L2 %.3f ns a sample\n", CHUNK, l1_ns, l2_ns);
    for (size_t i = 0; i < GN_COUNT(n_copies); i++) {
        double wall_s = 1e9, used_s = 1e9, n = n_millions * 1e6 * (n_copies[i] == 1 ? 5 : 1);
        for (int round = 0; round < 3; round++) {
            double w, u;
            run_chain(n_copies[i], n, n_workers, &w, &u);
            wall_s = w < wall_s ? w : wall_s;
            used_s = u < used_s ? u : used_s;
        }
        double ns = used_s * 1e9 / n;                                   /* per sample, whole chain */
        double extra_ns = (ns - (n_copies[i] + 1) * l1_ns) * CHUNK / (n_copies[i] + 2); /* memset costs about a copy */
        (void)printf("N=%-3u %7.0f MS/s wall  %7.0f MS/s cpu  %.3f ns/sample/block  x%.2f memcpy L1  x%.2f memcpy L2"
                     "  %5.1f ns a call beyond memcpy\n",
                n_copies[i], n * 1e-6 / wall_s, n * 1e-6 / used_s, ns / n_copies[i], ns / n_copies[i] / l1_ns,
                ns / n_copies[i] / l2_ns, extra_ns);
    }
    return 0;
}
