/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* pvt.ekf, sink.nmea and sink.jsonl out of their shared objects, under a host made for the test. */
#include "tests/support/gn_test.h"

#include "gnomon/event.h"
#include "lib/msg/osnma.h"
#include "tests/support/gn_scene.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

struct fake {
    struct gn_host h; /* first: the callbacks get it back */
    gn_status refused;
    char words[300];
    union {
        struct gn_msg_pvt_fix fix;
        struct gn_msg_obs obs;
        struct gn_msg_fix_state state;
    } msg;
    const struct gn_block *block;
    struct gn_msg_pvt_fix fix[2]; /* newest by solution */
    int n_fix[2], n_obs, n_state;
    uint64_t last_index;
};

static gn_status fake_fail(const struct gn_host *h, gn_status st, const char *what, const char *fmt, ...)
        GN_PRINTF(4, 5);
static gn_status fake_fail(const struct gn_host *h, gn_status st, const char *what, const char *fmt, ...)
{
    struct fake *f = (struct fake *)(uintptr_t)h;
    va_list ap;
    (void)what;
    va_start(ap, fmt);
    (void)vsnprintf(f->words, sizeof f->words, fmt, ap);
    va_end(ap);
    f->refused = st;
    return st;
}

static void fake_log(const struct gn_host *h, uint32_t level, const char *fmt, ...) GN_PRINTF(3, 4);
static void fake_log(const struct gn_host *h, uint32_t level, const char *fmt, ...)
{
    (void)h;
    (void)level;
    (void)fmt;
}

static void *fake_new(const struct gn_host *h, uint32_t port)
{
    struct fake *f = (struct fake *)(uintptr_t)h;
    (void)port;
    memset(&f->msg, 0, sizeof f->msg);
    return &f->msg;
}

static void fake_send(const struct gn_host *h, uint32_t port, uint64_t index, uint64_t at)
{
    struct fake *f = (struct fake *)(uintptr_t)h;
    (void)at;
    f->last_index = index;
    if (strcmp(f->block->ports[port].name, "fix") == 0) {
        int i = f->msg.fix.solution == GN_SOLUTION_AUTHENTICATED;
        f->fix[i] = f->msg.fix;
        f->n_fix[i]++;
    } else if (strcmp(f->block->ports[port].name, "obs") == 0)
        f->n_obs++;
    else
        f->n_state++;
}

static size_t fake_line(const struct gn_host *h, const struct gn_msg *msg, char *buf, size_t room)
{
    (void)h;
    return (size_t)snprintf(buf, room, "{\"index\":%llu}", (unsigned long long)msg->index);
}

static const void *fake_ext(const struct gn_host *h, const char *id)
{
    (void)h;
    static const struct gn_event_print print = {.size = sizeof print, .line = fake_line};
    return strcmp(id, GN_EVENT_PRINT_ID) == 0 ? &print : NULL;
}

static const struct gn_anchor anchor = {.rate_sps = SCENE_RATE};

static const struct gn_block *open_block(struct fake *f, const char *plugin, const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, GN_BINARY_DIR "/plugins/%s.so", plugin);
    void *so = dlopen(path, RTLD_NOW);
    assert_non_null(so);
    const struct gn_plugin *p = dlsym(so, "gn_plugin");
    assert_non_null(p);
    *f = (struct fake){.h = {.size = sizeof f->h, .abi_major = GN_ABI_MAJOR, .anchor = &anchor, .name = name,
                               .fail = fake_fail, .log = fake_log, .msg_new = fake_new,
                               .msg_send = fake_send, .ext = fake_ext}};
    for (uint32_t i = 0; i < p->n_blocks; i++)
        if (strcmp(p->blocks[i]->name, name) == 0)
            f->block = p->blocks[i];
    assert_non_null(f->block);
    return f->block;
}

static void *param(const struct gn_block *b, void *state, const char *name)
{
    for (uint32_t i = 0; i < b->n_params; i++)
        if (strcmp(b->params[i].name, name) == 0)
            return (char *)state + b->params[i].offset;
    fail_msg("no parameter %s", name);
    return NULL;
}

static uint32_t port(const struct gn_block *b, const char *name)
{
    for (uint32_t i = 0; i < b->n_ports; i++)
        if (strcmp(b->ports[i].name, name) == 0)
            return i;
    fail_msg("no port %s", name);
    return 0;
}

static void deliver(struct fake *f, void *state, const char *name, const void *data, uint64_t index)
{
    struct gn_msg m = {.data = data, .index = index, .at = index, .port = port(f->block, name)};
    struct gn_work w = {.msgs = &m, .n_msgs = 1, .now = index};
    assert_int_equal(f->block->work(state, &f->h, &w), GN_OK);
}

static void feed(struct fake *f, void *state, struct scene *s, int seconds)
{
    for (int i = 0; i < s->n; i++) {
        struct gn_msg_nav_time nt = scene_nav_time(s, i);
        struct gn_msg_ephemeris e = {.eph = s->eph[i]};
        deliver(f, state, "times", &nt, 0);
        deliver(f, state, "ephemerides", &e, 0);
    }
    for (int k = 0; k < seconds * 10; k++)
        for (int i = 0; i < s->n; i++) {
            struct gn_msg_track_obs o;
            uint64_t tick = (uint64_t)(k * SCENE_RATE / 10);
            scene_obs(s, i, tick, &o);
            deliver(f, state, "observations", &o, tick);
        }
}

static struct scene paris(void)
{
    struct scene s = {.week = 2275, .tow0_s = 277200.1, .noise_m = 1, .noise_mps = 0.1, .seed = 7,
            .start = {4201792.3, 177945.2, 4780286.4}};
    scene_sky(&s, 6, 6);
    return s;
}

static void test_ekf(void **unused)
{
    (void)unused;
    struct fake f;
    struct scene s = paris();
    const struct gn_block *b = open_block(&f, "pvt", "pvt.ekf");
    void *state = calloc(1, b->state_size);
    assert_non_null(state);
    *(int64_t *)param(b, state, "rate") = 2;
    assert_int_equal(b->start(state, &f.h), GN_OK);
    for (int i = 0; i < s.n; i++)
        if (s.eph[i].signal == GN_SIG_GAL_E1) {
            struct gn_msg_osnma_data v = {.prn = s.eph[i].prn, .authentic = 1, .time_trusted = 1, .bits = 40,
                    .content_bits = 549};
            memcpy(v.content, s.eph[i].ced, sizeof v.content);
            deliver(&f, state, "verdicts", &v, 0);
        }
    feed(&f, state, &s, 20);
    assert_int_equal(b->finish(state, &f.h), GN_OK);
    GN_CHECK("two a second", f.n_fix[0] >= 37 && f.n_fix[0] <= 40);
    GN_CHECK("both solutions", f.n_fix[1] == f.n_fix[0]);
    GN_CHECK("trust", f.fix[0].trust == GN_TRUST_PARTLY && f.fix[1].trust == GN_TRUST_AUTHENTICATED);
    GN_CHECK("satellites", f.fix[0].n_used == 12 && f.fix[1].n_used == 6);
    GN_CHECK("utc", strncmp(f.fix[0].utc, "2023-08-16T05:00:0", 18) == 0);
    GN_NEAR("index is the tick of the epoch", (double)f.last_index / SCENE_RATE,
            f.fix[0].tow_s - s.tow0_s, 1e-5);
    for (int k = 0; k < 3; k++)
        GN_NEAR("place", f.fix[0].ecef_m[k], s.start[k], 2);
    free(state);
}

static void test_ekf_refuses(void **unused)
{
    (void)unused;
    struct fake f;
    const struct gn_block *b = open_block(&f, "pvt", "pvt.ekf");
    void *state = calloc(1, b->state_size);
    assert_non_null(state);
    *(int64_t *)param(b, state, "rate") = 3;
    assert_int_equal(b->start(state, &f.h), GN_E_ARG);
    assert_non_null(strstr(f.words, "1, 2, 5 or 10"));
    *(int64_t *)param(b, state, "rate") = 1;
    *(int32_t *)param(b, state, "ionosphere") = 4; /* nequick */
    assert_int_equal(b->start(state, &f.h), GN_E_ARG);
    assert_non_null(strstr(f.words, "CCIR"));
    static const struct gn_anchor none;
    *(int32_t *)param(b, state, "ionosphere") = 0;
    f.h.anchor = &none;
    assert_int_equal(b->start(state, &f.h), GN_E_ARG);
    free(state);
}

static size_t read_all(const char *path, char *buf, size_t room)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(buf, 1, room - 1, f);
    buf[n] = 0;
    (void)fclose(f);
    return n;
}

static void test_sinks(void **unused)
{
    (void)unused;
    static const char *const names[] = {"sink.nmea", "sink.jsonl"};
    static const char *const last[] = {"$GNGGA", "\"event\":\"run.end\""};
    for (int i = 0; i < 2; i++) {
        struct fake f;
        char path[] = "/tmp/gn_sink_XXXXXX", text[4096];
        const struct gn_block *b = open_block(&f, "sink", names[i]);
        void *state = calloc(1, b->state_size);
        struct gn_msg_pvt_fix fix = {.solution = GN_SOLUTION_ALL, .ecef_m = {6378137, 0, 0}};
        int fd = mkstemp(path);
        assert_true(state != NULL && fd >= 0);
        (void)close(fd);
        *(const char **)param(b, state, "path") = path;
        if (i == 0) {
            *(uint64_t *)param(b, state, "sentences") = 1;
            *(int64_t *)param(b, state, "decimals") = 5;
        }
        assert_int_equal(b->start(state, &f.h), GN_OK);
        deliver(&f, state, b->ports[0].name, &fix, 5);
        assert_int_equal(b->finish(state, &f.h), GN_OK);
        b->stop(state, &f.h);
        (void)read_all(path, text, sizeof text);
        GN_CHECK(names[i], strstr(text, last[i]) != NULL);
        (void)unlink(path);
        free(state);
    }
}

static void test_sinks_say_when_the_disk_is_full(void **unused)
{
    (void)unused;
    static const char *const names[] = {"sink.nmea", "sink.jsonl"};
    for (int i = 0; i < 2; i++) {
        struct fake f;
        const struct gn_block *b = open_block(&f, "sink", names[i]);
        void *state = calloc(1, b->state_size);
        struct gn_msg_pvt_fix fix = {.solution = GN_SOLUTION_ALL, .ecef_m = {6378137, 0, 0}};
        assert_non_null(state);
        *(const char **)param(b, state, "path") = "/nowhere/at/all";
        assert_int_equal(b->start(state, &f.h), GN_E_OUTPUT);
        assert_non_null(strstr(f.words, "/nowhere/at/all"));
        b->stop(state, &f.h);
        *(const char **)param(b, state, "path") = "/dev/full";
        if (i == 0) {
            *(uint64_t *)param(b, state, "sentences") = 1;
            *(int64_t *)param(b, state, "decimals") = 5;
        }
        assert_int_equal(b->start(state, &f.h), GN_OK);
        deliver(&f, state, b->ports[0].name, &fix, 5);
        assert_int_equal(b->finish(state, &f.h), GN_E_OUTPUT);
        assert_non_null(strstr(f.words, "/dev/full"));
        b->stop(state, &f.h);
        free(state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_ekf),
            cmocka_unit_test(test_ekf_refuses),
            cmocka_unit_test(test_sinks),
            cmocka_unit_test(test_sinks_say_when_the_disk_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
