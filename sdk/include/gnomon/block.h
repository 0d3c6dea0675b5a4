/* SPDX-License-Identifier: ISC
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* All a plugin needs: blocks, ports, parameters, one work call, and what the host offers.
 *
 *   cc -shared -fPIC -I sdk/include gain.c -o gain.so
 *
 * A plugin exports one constant, gn_plugin, and links against nothing of the host.
 * Thread tags: [control] the host's set-up thread; [stream] one worker at a time for an instance:
 * no allocation, lock, input/output or clock; [job] a thread of the batch pool; [any thread].
 *
 * Time. A tick is one period of the source's sample clock. An index counts ticks, lost samples
 * included, on every port of that source. No span crosses a gap. */
#ifndef GNOMON_BLOCK_H
#define GNOMON_BLOCK_H

#include "gnomon/schema.h"
#include "gnomon/status.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define GN_ABI_MAJOR 1u /* differs: refused */
#define GN_ABI_MINOR 0u /* records only grow within a major */

#define GN_TICK_NEVER UINT64_MAX

/* ---- stream formats: item kinds in memory, native byte order --------------------------------- */
enum gn_format {
    GN_FMT_NONE = 0,
    GN_FMT_CI8,  /* int8_t[2]: I, Q */
    GN_FMT_CI16, /* int16_t[2] */
    GN_FMT_CF32, /* float[2] */
    GN_FMT_S8,
    GN_FMT_S16,
    GN_FMT_F32,
    GN_FMT_U8,
};

/* ---- ports ------------------------------------------------------------------------------------ */
enum gn_dir { GN_IN = 0, GN_OUT = 1 };

#define GN_PORT_OPTIONAL 1u /* in: may stay unconnected */
#define GN_PORT_LATEST   2u /* in: default reader policy `latest` (old items may be dropped under a live source) */

struct gn_port {
    const char *name;
    const char *doc;     /* one sentence */
    const char *formats; /* stream: "ci8 ci16", first preferred, "any" = every format; NULL: message port */
    const struct gn_schema *schema; /* message port; NULL on an input: takes any schema and several links */
    double delay_s;      /* message out: every message counts this much later; breaks message cycles */
    uint32_t dir;        /* enum gn_dir */
    uint32_t flags;      /* GN_PORT_* */
    uint32_t n_msgs_max; /* message out: most records one work call sends; 0 = 16 */
    uint32_t n_items_min; /* stream in: fewest items worth a call (except before a gap or the end); 0 = 1 */
    uint32_t n_room_min; /* stream out: fewest free items a call needs; 0 = 1 */
    uint32_t reserved;
};

/* ---- parameters --------------------------------------------------------------------------------- */
enum gn_param_type {
    GN_P_F64 = 1, /* double; units as in "4.092 MHz" are converted to `unit` */
    GN_P_I64,     /* int64_t */
    GN_P_BOOL,    /* uint8_t */
    GN_P_TEXT,    /* const char *, owned by the host, alive until after stop(); NULL for ~ */
    GN_P_PATH,    /* as TEXT; relative to the file that says it (with -p: to the working directory) */
    GN_P_ENUM,    /* int32_t index into choices */
    GN_P_SET,     /* uint64_t, bit i = choices[i]; written as a list or "A,B" */
    GN_P_LIST,    /* struct gn_list of numbers */
};

#define GN_LIST_MAX 16u
struct gn_list {
    uint32_t n, reserved;
    double v[GN_LIST_MAX];
};

#define GN_PARAM_AUTO 1u /* F64: the word auto is allowed and stored as NaN; I64: as INT64_MIN */
#define GN_PARAM_LIVE 2u /* may change while running: then changed() is called between work calls */

struct gn_param {
    const char *name;
    const char *unit; /* "Hz", "s", "m", "dB-Hz", "" for none */
    const char *doc;  /* one sentence */
    const char *def;  /* default as it would be written in a flowgraph; NULL: must be given */
    const char *const *choices; /* ENUM, SET: NULL-ended */
    double min, max;  /* F64, I64, LIST elements; both 0: no limit */
    uint32_t type;    /* enum gn_param_type */
    uint32_t flags;   /* GN_PARAM_* */
    uint32_t offset;  /* into the block's state */
    uint32_t reserved;
};

#define GN_PARAM(struct_, field_, type_, unit_, def_, min_, max_, doc_)                            \
    {                                                                                              \
        .name = #field_, .unit = (unit_), .doc = (doc_), .def = (def_), .min = (min_),             \
        .max = (max_), .type = (type_), .offset = (uint32_t)offsetof(struct_, field_)              \
    }
/* the same where the flowgraph's word differs from the C field (doppler_max, doppler_max_hz), or
 * with more to say: ..., "half-width of the search", .flags = GN_PARAM_AUTO) */
#define GN_PARAM_X(name_, struct_, field_, type_, unit_, def_, min_, max_, doc_, ...)             \
    {                                                                                              \
        .name = (name_), .unit = (unit_), .doc = (doc_), .def = (def_), .min = (min_),             \
        .max = (max_), .type = (type_), .offset = (uint32_t)offsetof(struct_, field_), __VA_ARGS__ \
    }

/* ---- plan: formats and rates are settled before anything starts --------------------------------- */
struct gn_plan_stream {
    uint32_t format;             /* enum gn_format */
    uint32_t reserved;
    uint64_t tick_num, tick_den; /* ticks per item */
};

/* The clock of a source and where its band lies. When index 0 was received is a claim of whoever made the recording. */
struct gn_anchor {
    double rate_sps;             /* nominal ticks per second, 0 when there is no sample clock */
    uint64_t n_ticks;            /* length when known, else 0 */
    int64_t t0_tai_s;            /* TAI seconds since 1958-01-01 of index 0: valid if has_t0 */
    double t0_frac_s;            /* 0..1 */
    double if_hz;                /* where the wanted carrier lies in the samples, after conjugation: valid if has_if */
    uint8_t has_t0, is_live, has_if;
    uint8_t is_inverted;         /* spectrum is mirrored: conjugate first */
    uint8_t reserved[4];
};

struct gn_plan {
    const struct gn_plan_stream *in; /* [n_in] stream inputs in port order, settled */
    struct gn_plan_stream *out;      /* [n_out] stream outputs; preset to the first format that fits, rate of in[0] */
    struct gn_anchor anchor;         /* a source fills it; others read it */
    uint32_t n_in, n_out;
};

/* ---- one work call ------------------------------------------------------------------------------- */
struct gn_tag {
    uint64_t tick;
    uint64_t value;
    char key[16]; /* "gap": value = lost ticks, sits on the first item after the gap */
};

#define GN_IN_LAST       1u /* the stream ends after these items */
#define GN_IN_GAP_AFTER  2u /* samples are missing after these items: what is left unused is dropped by the host */
#define GN_IN_GAP_BEFORE 4u /* the first item follows a gap */

struct gn_in {
    const void *items; /* n_items, contiguous; good for this call only */
    const struct gn_tag *tags; /* inside the span */
    uint64_t index;    /* tick of items[0] */
    uint32_t n_items, n_tags;
    uint32_t format, flags;
    uint32_t n_used;   /* block sets: items taken */
    uint32_t n_need;   /* block sets: call me again with at least so many (0: any) */
};

struct gn_out {
    void *items;       /* room for n_room */
    uint64_t index;    /* tick of items[0] */
    uint32_t n_room, format;
    uint32_t n_made;   /* block sets */
    uint32_t n_need;   /* block sets: call me again with at least so much room */
};

struct gn_msg {
    const void *data;  /* struct of the port's schema; good for this call only */
    const struct gn_schema *schema;
    uint64_t index;    /* tick it is about */
    uint64_t at;       /* tick from which it may be used */
    uint32_t port;     /* index into the block's port table */
    uint32_t producer; /* position of the sender in the flowgraph, for `many` blocks the instance too */
};

#define GN_WORK_CANCEL 1u /* the run is being interrupted */

/* A block with stream inputs sees messages with at <= now == in[0].index, and a span that ends before
 * the next message counts (unless it asked for more by n_need). A block with message inputs only is
 * called once for each `at`, with all its messages of that tick. Order: at, producer, port, sequence. */
struct gn_work {
    struct gn_in *in;         /* [n_in] stream inputs in port-table order */
    struct gn_out *out;       /* [n_out] stream outputs */
    const struct gn_msg *msgs; /* [n_msgs] each delivered once */
    void *job_done;           /* arg of a job that has ended and is due now, else NULL */
    uint64_t now;             /* tick */
    uint32_t n_in, n_out, n_msgs;
    uint32_t flags;           /* GN_WORK_* */
    uint32_t is_done;         /* block sets: I will never produce more (a source's end) */
    uint32_t reserved;
};

/* ---- what the host offers; one struct per instance, good from plan() to after stop() ---------------- */
struct gn_job {
    void *arg;
    /* poll at least every 10 ms and return early when it is not 0. [job] */
    int (*is_cancelled)(const struct gn_job *job);
};

enum gn_log_level { GN_LOG_ERROR = 0, GN_LOG_WARN, GN_LOG_INFO, GN_LOG_DEBUG };

#define GN_STAGE_NONE UINT32_MAX

struct gn_host {
    uint32_t size, abi_major;
    uint32_t instance; /* 0..many-1 of a `many` block */
    uint32_t n_instances;
    const struct gn_anchor *anchor; /* of the source this instance hears; settled before start() */
    const char *name;               /* in the flowgraph: "trk", "trk[3]" */
    /* Words for a refusal: `what` names a parameter or port (or NULL). Returns st. [any thread] */
    gn_status (*fail)(const struct gn_host *h, gn_status st, const char *what, const char *fmt, ...)
            GN_PRINTF(4, 5);
    void (*log)(const struct gn_host *h, uint32_t level, const char *fmt, ...) GN_PRINTF(3, 4);
    /* A zeroed record of port's schema to fill. Never NULL within n_msgs_max a call. [stream] */
    void *(*msg_new)(const struct gn_host *h, uint32_t port);
    /* Send the record last made: about `index`, usable from max(at, now) + the port's delay. [stream] */
    void (*msg_send)(const struct gn_host *h, uint32_t port, uint64_t index, uint64_t at);
    /* Source: n_ticks were lost before the next item of stream output i_out. [stream] */
    void (*gap)(const struct gn_host *h, uint32_t i_out, uint64_t n_ticks, const char *cause);
    /* Put a tag on stream output i_out (tick >= its index). [stream] */
    void (*tag)(const struct gn_host *h, uint32_t i_out, const struct gn_tag *tag);
    /* Run fn on the batch pool. The work call with job_done == arg comes at tick end + delay_s: a file
     * run waits there, a live run goes on and gets it late. One job at a time per instance; returns
     * GN_E_ARG while one is under way. fn must not touch state that work() uses. [stream] */
    gn_status (*job)(const struct gn_host *h, void (*fn)(const struct gn_job *job), void *arg,
            uint64_t end, double delay_s);
    /* Memory shared by the instances of this block type that run in the same group on the same
     * first input, zeroed at first, never used by two threads at once. [control, in start()] */
    void *(*share)(const struct gn_host *h, const char *key, size_t size);
    /* Time from here on belongs to the block's stage i (GN_STAGE_NONE: none). [stream, job] */
    void (*stage)(const struct gn_host *h, uint32_t i_stage);
    /* Other abilities, by string id; NULL when absent. [any thread] */
    const void *(*ext)(const struct gn_host *h, const char *id);
};

/* ---- block and plugin -------------------------------------------------------------------------------- */
#define GN_BLOCK_BLOCKS 1u /* work may sleep or do file output: own thread */
#define GN_BLOCK_PURE   2u /* output depends on input alone: held to it by check-plugin */
#define GN_BLOCK_JOINS  4u /* its stream inputs may differ in ticks per item or come from different sources */

struct gn_block {
    const char *name;    /* "acq.pcps" = plugins/acq/pcps.c */
    const char *summary; /* one line */
    const char *doc;     /* a paragraph, may be NULL */
    const char *impl_of; /* same ports and parameters as that block: a variant of it; NULL */
    const char *needs;   /* CPU features "avx512vnni neon"; NULL */
    const struct gn_port *ports;
    const struct gn_param *params;
    const char *const *stages; /* names of timed stages, NULL-ended, may be NULL */
    uint32_t n_ports, n_params;
    uint32_t state_size; /* the host allocates it (64-byte aligned) and zeroes it */
    uint32_t flags;      /* GN_BLOCK_* */
    uint32_t layout_id;  /* of save() */
    uint32_t reserved;
    /* Optional: settle formats, rates, the source's anchor from parameters and input formats. May read
     * file headers, keeps nothing open. Also run by `gnomon check`. [control] */
    gn_status (*plan)(void *state, const struct gn_host *h, struct gn_plan *plan);
    gn_status (*start)(void *state, const struct gn_host *h); /* [control] may allocate, may refuse */
    gn_status (*work)(void *state, const struct gn_host *h, struct gn_work *w); /* [stream] */
    gn_status (*changed)(void *state, const struct gn_host *h, uint32_t i_param); /* [stream], between work calls */
    gn_status (*finish)(void *state, const struct gn_host *h); /* [stream] all input was taken; may send */
    void (*stop)(void *state, const struct gn_host *h); /* [control] also after a failed start() */
    /* Optional: state as bytes for a hot swap; returns the size, writes when it fits room. [stream] */
    size_t (*save)(void *state, void *buf, size_t room);
    gn_status (*load)(void *state, const struct gn_host *h, const void *buf, size_t n);
};

struct gn_plugin {
    uint32_t size; /* sizeof(struct gn_plugin) */
    uint32_t abi_major, abi_minor;
    uint32_t block_size, port_size, param_size, schema_size, field_size; /* the host strides by these */
    const char *name, *version, *license;
    const struct gn_block *const *blocks;
    const struct gn_schema *const *schemas; /* its own message schemas, may be NULL */
    uint32_t n_blocks, n_schemas;
};

#define GN_EXPORT __attribute__((visibility("default")))

/* GN_PLUGIN("std", "0.1.0", "ISC", blocks); where blocks is an array of pointers */
#define GN_PLUGIN(name_, version_, license_, blocks_)                                              \
    GN_EXPORT extern const struct gn_plugin gn_plugin;                                             \
    const struct gn_plugin gn_plugin = {sizeof(struct gn_plugin), GN_ABI_MAJOR, GN_ABI_MINOR,      \
            sizeof(struct gn_block), sizeof(struct gn_port), sizeof(struct gn_param),              \
            sizeof(struct gn_schema), sizeof(struct gn_field), (name_), (version_), (license_),    \
            (blocks_), NULL, GN_COUNT(blocks_), 0}

#endif
