/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* I/NAV pages in, verdicts out. The engine is in lib/osnma; here are its clock and its heavy work's way out. */
#include "gnomon/verdict.h"
#include "lib/msg/nav.h"
#include "lib/base/replace.h"
#include "lib/osnma/engine.h"
#include "lib/osnma/state.h"
#include "lib/osnma/timing.h"
#include "lib/time/time.h"
#include "plugins/osnma/blocks.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum port { PAGES = 0, TAGS, VERDICTS, KEYS, KROOTS, PKRS, OAMS, STATUS, TIMES, N_PORTS };
enum { TIME_NONE = 0, TIME_RECORDING, TIME_HOST };

#define JOB_DELAY_S  0.2
#define SYMBOL_S     0.004
#define HELD_S       70.0 /* longest a page waits in the decoder for the time of week */

/* at the end every tag still kept is named */
#define TAGS_MAX (GN_OSNMA_PRNS * GN_OSNMA_RETENTION * GN_OSNMA_TAGS_MAX)

static const uint32_t most[N_PORTS] = {0, TAGS_MAX, 1024, 256, 64, 64, 16, 64, 64};

/* when symbol 0 of a channel's life was received, by the sample clock: pages held back until the time of week
 * was known come late, their symbols did not */
struct channel {
    uint8_t is_used, prn;
    uint64_t symbol;
    double t0_s;
};

#define KEYS_A_SAVE 20 /* chain keys between two savings: ten minutes */

/* the kept state on its way to the disk: the job's own while is_job_out */
struct save {
    const char *path;
    size_t n_bytes;
    gn_status status;
    struct gn_error err;
    uint8_t bytes[GN_OSNMA_STATE_FILE_MAX];
};

struct verify {
    const char *keys; /* parameters */
    const char *state_path;
    int32_t trusted_time;
    uint8_t allow_test_keys, reed_solomon;
    double time_uncertainty_s;
    int64_t tag_bits, draft_keys, macs_a_page;
    int32_t profile;
    struct gn_osnma *engine; /* owned: start() makes it, stop() frees it */
    const struct gn_host *host;
    double t0_gst_s;  /* of tick 0, by the clock the user vouches for */
    uint8_t has_rx, is_job_out;
    uint64_t index;   /* of the page being worked on */
    uint64_t now;
    uint64_t n_dropped, n_unstamped;
    uint32_t n_sent[N_PORTS];
    struct gn_osnma_task task; /* the job's own while is_job_out */
    struct gn_osnma_state kept;
    struct save save;
    uint8_t is_dirty;
    uint32_t n_keys;
    char last_time[9]; /* content told last */
    struct channel channels[256];
};

static const char *const time_choices[] = {"none", "recording", "host", NULL};

static const char *const profile_choices[] = {"standard", "draft", NULL};

static const struct gn_port ports[] = {
        [PAGES] = {.name = "pages", .doc = "Galileo I/NAV pages.", .schema = &gn_schema_page, .dir = GN_IN},
        [TAGS] = {.name = "tags", .doc = "Each tag attempted or refused.", .schema = &gn_schema_osnma_tag,
                .dir = GN_OUT, .n_msgs_max = TAGS_MAX},
        [VERDICTS] = {.name = "verdicts", .doc = "Navigation data that may be relied on, and data that may not.",
                .schema = &gn_schema_osnma_data, .dir = GN_OUT, .n_msgs_max = 1024},
        [KEYS] = {.name = "keys", .doc = "TESLA keys checked.", .schema = &gn_schema_osnma_key, .dir = GN_OUT,
                .n_msgs_max = 256},
        [KROOTS] = {.name = "kroots", .doc = "Root keys checked.", .schema = &gn_schema_osnma_kroot,
                .dir = GN_OUT, .n_msgs_max = 64},
        [PKRS] = {.name = "pkrs", .doc = "Public keys checked.", .schema = &gn_schema_osnma_pkr, .dir = GN_OUT,
                .n_msgs_max = 64},
        [OAMS] = {.name = "oams", .doc = "Alert messages checked.", .schema = &gn_schema_osnma_oam,
                .dir = GN_OUT, .n_msgs_max = 16},
        [STATUS] = {.name = "status", .doc = "State of the service.", .schema = &gn_schema_osnma_status,
                .dir = GN_OUT, .n_msgs_max = 64},
        [TIMES] = {.name = "times", .doc = "UTC and GGTO from authentic ADKD 4 data.", .schema = &gn_schema_osnma_time,
                .dir = GN_OUT, .n_msgs_max = 64},
};

static const struct gn_param params[] = {
        GN_PARAM(struct verify, keys, GN_P_PATH, "", "~", 0, 0,
                "Trust anchors as JSON, FILE or FILE#NAME; without them nothing is ever authentic."),
        GN_PARAM_X("state", struct verify, state_path, GN_P_PATH, "", "~", 0, 0,
                "File that keeps root key, chain key and public keys over a restart; checked again at each start.",
                .flags = 0),
        GN_PARAM_X("trusted_time", struct verify, trusted_time, GN_P_ENUM, "", "none", 0, 0,
                "Clock the user vouches for: none, recording (its start time), host.", .choices = time_choices),
        GN_PARAM_X("time_uncertainty", struct verify, time_uncertainty_s, GN_P_F64, "s", "0", 0, 1e9,
                "Uncertainty of the trusted time: below 15 s all tags count, below 165 s slow ones only.", .flags = 0),
        GN_PARAM(struct verify, tag_bits, GN_P_I64, "", "40", 1, 1000,
                "Tag bits that must agree before data count as authentic."),
        GN_PARAM(struct verify, allow_test_keys, GN_P_BOOL, "", "no", 0, 0,
                "Accept trust anchors marked as test keys (simulated sky)."),
        GN_PARAM(struct verify, reed_solomon, GN_P_BOOL, "", "yes", 0, 0,
                "Repair lost ephemeris words by words 17 to 20."),
        GN_PARAM_X("profile", struct verify, profile, GN_P_ENUM, "", "standard", 0, 0,
                "draft: also the options of the drafts (SHA3-224, P-224, P-384). The signal cannot choose it.",
                .choices = profile_choices),
        GN_PARAM(struct verify, macs_a_page, GN_P_I64, "", "150", 1, 100000,
                "Most MACs checked for one page; the rest waits for the next one."),
        GN_PARAM(struct verify, draft_keys, GN_P_I64, "", "1", 1, 72,
                "Draft profile: keys by which the chain goes on in a sub-frame (36 satellites x 2 blocks: 72)."),
};

/* ---- results out ------------------------------------------------------------------------------------------------ */
static void send(struct verify *v, enum port port, const void *msg, size_t size)
{
    const struct gn_host *h = v->host;
    void *m = v->n_sent[port] < most[port] ? h->msg_new(h, (uint32_t)port) : NULL;
    if (m == NULL) {
        v->n_dropped++;
        return;
    }
    v->n_sent[port]++;
    memcpy(m, msg, size);
    h->msg_send(h, (uint32_t)port, v->index, v->now);
}

static void on_tag(void *arg, const struct gn_msg_osnma_tag *m)
{
    send(arg, TAGS, m, sizeof *m);
}
static void on_data(void *arg, const struct gn_msg_osnma_data *m)
{
    struct verify *v = arg;
    struct gn_msg_osnma_time time;
    send(v, VERDICTS, m, sizeof *m);
    if (!gn_osnma_timing(m, &time) || memcmp(v->last_time, time.data, sizeof v->last_time) == 0)
        return;
    memcpy(v->last_time, time.data, sizeof v->last_time);
    send(v, TIMES, &time, sizeof time);
}
static void on_key(void *arg, enum gn_osnma_key_event kind, const struct gn_msg_osnma_key *m)
{
    static const enum port to[] = {KEYS, KROOTS, PKRS, OAMS};
    struct verify *v = arg;
    if (m->verdict == GN_AUTHENTIC && (kind != GN_OSNMA_EV_KEY || ++v->n_keys % KEYS_A_SAVE == 1))
        v->is_dirty = 1;
    send(arg, to[kind], m, sizeof *m);
}
static void on_status(void *arg, const struct gn_msg_osnma_status *m)
{
    send(arg, STATUS, m, sizeof *m);
}

static struct gn_osnma_sink sink_of(struct verify *v)
{
    return (struct gn_osnma_sink){.arg = v, .tag = on_tag, .data = on_data, .key = on_key, .status = on_status};
}

/* ---- start and stop ------------------------------------------------------------------------------------------------ */
static double gst_of_tai(int64_t tai_s, double frac_s)
{
    return (double)(tai_s - gn_tai_from_gst(0, 0)) + frac_s;
}

/* When was tick 0? Pages without a sample clock bring their own times. */
static gn_status settle_time(struct verify *v, const struct gn_host *h)
{
    const struct gn_anchor *a = h->anchor;
    if (v->trusted_time == TIME_RECORDING && a->rate_sps > 0) {
        if (!a->has_t0)
            return h->fail(h, GN_E_ARG, "trusted_time",
                    "`recording` needs the time of the first sample: give `start`, or use `none`");
        v->t0_gst_s = gst_of_tai(a->t0_tai_s, a->t0_frac_s);
        v->has_rx = 1;
    }
    if (v->trusted_time == TIME_HOST && a->rate_sps > 0) {
        struct timespec ts;
        if (clock_gettime(CLOCK_REALTIME, &ts) != 0)
            return h->fail(h, GN_E_DEVICE, "trusted_time", "the host clock cannot be read");
        int64_t utc_s = (int64_t)ts.tv_sec + 378691200; /* 1958-01-01 to 1970-01-01 */
        v->t0_gst_s = gst_of_tai(utc_s + gn_leap_at_utc(utc_s), (double)ts.tv_nsec * 1e-9);
        v->has_rx = 1;
        h->log(h, GN_LOG_INFO, "trusted time is the host clock as it stood at the start of this run");
    }
    return GN_OK;
}

/* ---- kept over a restart --------------------------------------------------------------------------------------------- */
/* A refused file is a colder start, never an end. */
static gn_status load_state(struct verify *v, const struct gn_host *h, struct gn_osnma_config *config)
{
    struct gn_error err = {0};
    char why[96];
    bool is_there = false, is_alert = false;
    gn_status st = gn_osnma_state_load(v->state_path, &v->kept, &is_there, &err);
    if (st != GN_OK || !is_there) {
        v->kept = (struct gn_osnma_state){0};
        const char *start = gn_osnma_start_names[gn_osnma_start_of(&config->anchor)];
        if (is_there)
            h->log(h, GN_LOG_WARN, "state %s is refused: %s; %s start", v->state_path, err.text, start);
        return GN_OK;
    }
    enum gn_osnma_start start = gn_osnma_state_apply(&v->kept, config, &is_alert, why);
    if (is_alert)
        return h->fail(h, GN_E_DATA, "state", "%s holds an authentic alert message: these keys are withdrawn. Get new ones "
                "from the service centre, then delete the file", v->state_path);
    h->log(h, why[0] != '\0' ? GN_LOG_WARN : GN_LOG_INFO, "state %s: %s start%s%s", v->state_path,
            gn_osnma_start_names[start], why[0] != '\0' ? "; " : "", why);
    if (why[0] != '\0')
        v->kept = (struct gn_osnma_state){0};
    return GN_OK;
}

static bool prepare_save(struct verify *v)
{
    (void)gn_osnma_state_take(v->engine, &v->kept);
    v->is_dirty = 0;
    v->save.path = v->state_path;
    v->save.n_bytes = gn_osnma_state_write(&v->kept, v->save.bytes, sizeof v->save.bytes);
    return v->save.n_bytes > 0 && (v->kept.has_kroot || v->kept.n_pkrs > 0 || v->kept.n_revoked > 0);
}

static void save_now(struct save *s)
{
    s->status = gn_file_replace(s->path, s->bytes, s->n_bytes, &s->err);
}

static void run_save(const struct gn_job *job)
{
    save_now(job->arg);
}

static void tell_save(const struct verify *v, const struct gn_host *h)
{
    if (v->save.status != GN_OK)
        h->log(h, GN_LOG_WARN, "the state is not kept: %s", v->save.err.text);
}

static gn_status verify_start(void *state, const struct gn_host *h)
{
    struct verify *v = state;
    struct gn_error err = {0};
    struct gn_osnma_config config = {.has_trusted_time = v->trusted_time != TIME_NONE, .defers = 1,
            .no_reed_solomon = v->reed_solomon == 0,
            .profile = (uint8_t)v->profile, .draft_keys = (uint8_t)v->draft_keys,
            .tag_bits = (uint16_t)v->tag_bits, .macs_max = (uint32_t)v->macs_a_page,
            .time_uncertainty_s = v->time_uncertainty_s};
    v->host = h;
    gn_status st = settle_time(v, h);
    if (st != GN_OK)
        return st;
    if (v->keys == NULL)
        h->log(h, GN_LOG_WARN, "no keys given: nothing will be authentic");
    else if ((st = gn_osnma_keys_load(v->keys, v->allow_test_keys != 0, &config.anchor, &err)) != GN_OK)
        return h->fail(h, st, "keys", "%s", err.text);
    if (v->state_path != NULL && (st = load_state(v, h, &config)) != GN_OK)
        return st;
    if (config.anchor.is_test)
        h->log(h, GN_LOG_WARN, "TEST keys: what they sign proves nothing about a real sky");
    if (gn_osnma_new(&config, &v->engine) != GN_OK)
        return h->fail(h, GN_E_NOMEM, NULL, "out of memory");
    return GN_OK;
}

static void verify_stop(void *state, const struct gn_host *h)
{
    struct verify *v = state;
    if (v->n_dropped > 0)
        h->log(h, GN_LOG_WARN, "%llu messages did not fit and were dropped", (unsigned long long)v->n_dropped);
    if (v->n_unstamped > 0)
        h->log(h, GN_LOG_WARN, "%llu pages were left out: trusted_time is host, but their source does not stamp them "
                "(osnma.pages: `stamp: host`)", (unsigned long long)v->n_unstamped);
    if (v->engine != NULL && v->state_path != NULL && prepare_save(v)) {
        save_now(&v->save);
        tell_save(v, h);
    }
    const struct gn_osnma_stats *stats = v->engine != NULL ? gn_osnma_stats(v->engine) : NULL;
    if (stats != NULL && stats->macs_put_off > 0)
        h->log(h, GN_LOG_INFO, "%llu tags and flexible slots checked; %llu times the limit of %lld MACs a page put the rest off",
                (unsigned long long)stats->macs, (unsigned long long)stats->macs_put_off, (long long)v->macs_a_page);
    gn_osnma_free(v->engine);
    v->engine = NULL;
}

/* ---- pages in ------------------------------------------------------------------------------------------------------- */
/* Of the pages of one call those that came at once give the life's start; a later estimate was held back. */
static void learn_time(struct verify *v, const struct gn_msg_page *p, double t_s)
{
    struct channel *c = &v->channels[p->channel];
    double t0_s = t_s - (double)p->symbol * SYMBOL_S;
    bool is_same = c->is_used && c->prn == p->prn && p->symbol >= c->symbol && fabs(t0_s - c->t0_s) < HELD_S;
    if (!is_same || t0_s < c->t0_s)
        c->t0_s = t0_s;
    c->is_used = 1;
    c->prn = p->prn;
    c->symbol = p->symbol;
}

static void feed(struct verify *v, const struct gn_msg_page *p)
{
    struct gn_osnma_sink sink = sink_of(v);
    struct gn_osnma_page page = {.wn = p->wn, .tow_s = (uint32_t)lround(p->tow_s), .prn = p->prn,
            .is_e5b = p->from_e5b, .has_rx = v->has_rx};
    bool is_stamped = v->trusted_time == TIME_HOST && !v->has_rx; /* no sample clock: by the source, on arrival */
    if (is_stamped && !p->has_rx) {
        v->n_unstamped++; /* nobody vouches for its time */
        return;
    }
    if (is_stamped) {
        page.has_rx = 1;
        page.rx_gst_s = p->rx_gst_s;
    }
    if (v->has_rx)
        page.rx_gst_s = v->channels[p->channel].t0_s + (double)p->symbol * SYMBOL_S;
    memcpy(page.bits, p->bits, sizeof page.bits);
    gn_osnma_feed(v->engine, &page, &sink);
}

static bool is_ours(const struct gn_msg_page *p)
{
    return p->kind == GN_PAGE_INAV && p->time_ok && p->wn >= 0 && p->n_bits == 240 && p->tow_s >= 0 &&
           p->tow_s < 604799.5;
}

static int job_cancelled(void *arg)
{
    const struct gn_job *job = arg;
    return job->is_cancelled(job);
}

static void run_job(const struct gn_job *job)
{
    (void)gn_osnma_task_run(job->arg, job_cancelled, (void *)(uintptr_t)job);
}

static gn_status verify_work(void *state, const struct gn_host *h, struct gn_work *w)
{
    struct verify *v = state;
    struct gn_osnma_sink sink = sink_of(v);
    memset(v->n_sent, 0, sizeof v->n_sent);
    v->now = w->now;
    if (w->n_msgs > 0)
        v->index = w->msgs[0].index;
    if (w->job_done != NULL) {
        v->is_job_out = 0;
        if (w->job_done == &v->save)
            tell_save(v, h);
        else
            gn_osnma_task_done(v->engine, &v->task, &sink);
    }
    for (uint32_t i = 0; v->has_rx && i < w->n_msgs; i++) {
        const struct gn_msg_page *p = w->msgs[i].data;
        if (is_ours(p))
            learn_time(v, p, v->t0_gst_s + (double)w->msgs[i].index / h->anchor->rate_sps);
    }
    for (uint32_t i = 0; i < w->n_msgs; i++) {
        v->index = w->msgs[i].index;
        if (is_ours(w->msgs[i].data))
            feed(v, w->msgs[i].data);
    }
    if (!v->is_job_out && gn_osnma_task_take(v->engine, &v->task)) {
        v->is_job_out = 1;
        return h->job(h, run_job, &v->task, w->now, JOB_DELAY_S);
    }
    if (!v->is_job_out && v->is_dirty && v->state_path != NULL && prepare_save(v)) {
        v->is_job_out = 1;
        return h->job(h, run_save, &v->save, w->now, JOB_DELAY_S);
    }
    return GN_OK;
}

static gn_status verify_finish(void *state, const struct gn_host *h)
{
    struct verify *v = state;
    struct gn_osnma_sink sink = sink_of(v);
    (void)h;
    memset(v->n_sent, 0, sizeof v->n_sent);
    gn_osnma_finish(v->engine, &sink);
    return GN_OK;
}

const struct gn_block gn_osnma_verify = {
        .name = "osnma.verify",
        .summary = "authenticates Galileo navigation data (OSNMA)",
        .doc = "Needs the Merkle root or a public key from the service centre. Checks the signed root key, the "
               "TESLA chain and the tags, and says which navigation data may be relied on. Tags are kept 32 "
               "minutes while keys are unknown. Without trusted time nothing is authentic.",
        .ports = ports,
        .n_ports = GN_COUNT(ports),
        .params = params,
        .n_params = GN_COUNT(params),
        .state_size = sizeof(struct verify),
        .start = verify_start,
        .work = verify_work,
        .finish = verify_finish,
        .stop = verify_stop,
};
