/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The events of OSNMA SIS ICD 1.1 section 5 as steps. */
#include "lib/osnma/generate.h"

#include <string.h>

const char *const gn_osnma_gen_events[] = {"nominal", "test", "dont-use", "end-of-chain", "chain-revoked", "new-key",
        "key-revoked", "new-merkle-tree", "alert", NULL};

/* Messages of a step, relative to the chain and key in force before the event. */
enum what {
    NONE = 0,
    ROOT,          /* KROOT of this chain, this key */
    ROOT_NEXT,     /* KROOT of the next chain, this key */
    ROOT_KEY,      /* KROOT of this chain, next key */
    ROOT_NEXT_KEY, /* both next */
    ROOT_TREE,     /* KROOT of this chain, first key of the new tree */
    KEY,           /* PKR of the next key */
    KEY_TREE,      /* PKR of the new tree's first key */
    MESSAGE,       /* OAM */
};

struct row {
    uint8_t nmas, cpks, chain; /* the latter: chains further */
    uint8_t dsms[GN_OSNMA_GEN_DSMS_MAX];
};

#define OP GN_NMAS_OPERATIONAL
#define DU GN_NMAS_DONT_USE

static const struct row rows[GN_GEN_EVENT_COUNT][3] = {
        [GN_GEN_DONT_USE] = {{DU, GN_CPKS_NOMINAL, 0, {ROOT}}, {OP, GN_CPKS_NOMINAL, 0, {ROOT}}},
        [GN_GEN_EOC] = {{OP, GN_CPKS_END_OF_CHAIN, 0, {ROOT, ROOT_NEXT}}, {OP, GN_CPKS_NOMINAL, 1, {ROOT_NEXT}}},
        [GN_GEN_CREV] = {{DU, GN_CPKS_CHAIN_REVOKED, 0, {ROOT_NEXT}}, {OP, GN_CPKS_CHAIN_REVOKED, 1, {ROOT_NEXT}},
                {OP, GN_CPKS_NOMINAL, 1, {ROOT_NEXT}}},
        [GN_GEN_NPK] = {{OP, GN_CPKS_NEW_KEY, 0, {KEY, ROOT}}, {OP, GN_CPKS_NEW_KEY, 0, {KEY, ROOT_KEY}},
                {OP, GN_CPKS_NOMINAL, 0, {ROOT_KEY}}},
        [GN_GEN_PKREV] = {{DU, GN_CPKS_KEY_REVOKED, 0, {KEY, ROOT_NEXT_KEY}},
                {OP, GN_CPKS_KEY_REVOKED, 1, {KEY, ROOT_NEXT_KEY}}, {OP, GN_CPKS_NOMINAL, 1, {ROOT_NEXT_KEY}}},
        [GN_GEN_NMT] = {{OP, GN_CPKS_NEW_MERKLE, 0, {KEY_TREE, ROOT}}, {OP, GN_CPKS_NEW_MERKLE, 0, {KEY_TREE, ROOT_TREE}},
                {OP, GN_CPKS_NOMINAL, 0, {ROOT_TREE}}},
        [GN_GEN_ALERT] = {{DU, GN_CPKS_ALERT, 0, {MESSAGE, ROOT}}},
};

/* what was in force at the end of the steps so far */
static struct gn_osnma_gen_dsm in_force(const struct gn_osnma_gen_config *c, uint8_t *chain)
{
    const struct gn_osnma_gen_step *s = &c->steps[c->n_steps - 1];
    for (unsigned i = s->n_dsms; i-- > 0;)
        if (s->dsms[i].kind == GN_GEN_KROOT) {
            *chain = s->chain;
            return s->dsms[i];
        }
    *chain = s->chain;
    return (struct gn_osnma_gen_dsm){.kind = GN_GEN_KROOT, .chain = s->chain, .pkid = 1};
}

static struct gn_osnma_gen_dsm dsm_of(enum what what, struct gn_osnma_gen_dsm base, uint8_t chain)
{
    bool is_next_chain = what == ROOT_NEXT || what == ROOT_NEXT_KEY;
    bool is_next_key = what == ROOT_KEY || what == ROOT_NEXT_KEY || what == KEY;
    bool is_new_tree = what == ROOT_TREE || what == KEY_TREE;
    struct gn_osnma_gen_dsm d = {.kind = GN_GEN_KROOT, .chain = (uint8_t)(chain + is_next_chain),
            .pkid = (uint8_t)(is_new_tree ? 1 : base.pkid + is_next_key), .tree = is_new_tree ? 1 : base.tree};
    if (what == KEY || what == KEY_TREE)
        d.kind = GN_GEN_PKR;
    if (what == MESSAGE)
        d.kind = GN_GEN_OAM;
    return d;
}

static bool add_step(struct gn_osnma_gen_config *c, struct gn_osnma_gen_step step)
{
    bool rises = c->n_steps == 0 ? step.from == 0 : step.from > c->steps[c->n_steps - 1].from;
    if (!rises || c->n_steps == GN_OSNMA_GEN_STEPS_MAX)
        return false;
    if (c->sends_pkr && step.n_dsms == 1 && step.dsms[0].kind == GN_GEN_KROOT) {
        step.dsms[1] = step.dsms[0];
        step.dsms[1].kind = GN_GEN_PKR;
        step.n_dsms = 2;
    }
    c->steps[c->n_steps++] = step;
    return true;
}

bool gn_osnma_gen_event(struct gn_osnma_gen_config *c, enum gn_osnma_gen_event event, const uint32_t at[3])
{
    const struct gn_osnma_gen_dsm root = {.kind = GN_GEN_KROOT, .pkid = c->pkid != 0 ? c->pkid : 1};
    uint8_t chain = 0;
    if ((unsigned)event >= GN_GEN_EVENT_COUNT)
        return false;
    if (c->n_steps == 0 && !add_step(c, (struct gn_osnma_gen_step){.nmas = event == GN_GEN_TEST ? GN_NMAS_TEST : OP,
                                                .cpks = GN_CPKS_NOMINAL, .n_dsms = 1, .dsms = {root}}))
        return false;
    const struct gn_osnma_gen_dsm base = in_force(c, &chain);
    for (unsigned i = 0; i < 3 && rows[event][i].nmas != 0; i++) {
        const struct row *r = &rows[event][i];
        struct gn_osnma_gen_step s = {.from = at[i], .nmas = r->nmas, .cpks = r->cpks,
                .chain = (uint8_t)(chain + r->chain)};
        for (; s.n_dsms < GN_OSNMA_GEN_DSMS_MAX && r->dsms[s.n_dsms] != NONE; s.n_dsms++)
            s.dsms[s.n_dsms] = dsm_of((enum what)r->dsms[s.n_dsms], base, chain);
        if (!add_step(c, s))
            return false;
    }
    return true;
}
