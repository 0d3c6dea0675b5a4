/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/state.h"

#include "lib/base/error.h"
#include "lib/bits/bits.h"
#include "lib/osnma/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAGIC        "gnosnma\n"
#define MAGIC_BYTES  8u
#define HEADER_BYTES 16u
#define KEY_RECORD   (8u + GN_OSNMA_KEY_BYTES)
#define CHAIN_RECORD 14u
#define PKR_ID       12u

enum { REC_KROOT = 1, REC_PKR, REC_KEY, REC_REVOKED };

const char *const gn_osnma_start_names[] = {"none", "cold", "warm", "hot"};

/* ---- from the engine ------------------------------------------------------------------------------------------------------ */
static bool put_pkr(struct gn_osnma_state *s, const uint8_t *bytes, size_t n)
{
    for (unsigned i = 0; i < s->n_pkrs; i++)
        if (s->pkr_bytes[i] == n && memcmp(s->pkrs[i], bytes, n) == 0)
            return false;
    if (s->n_pkrs == GN_OSNMA_STATE_PKRS) { /* the oldest goes */
        memmove(s->pkrs[0], s->pkrs[1], sizeof s->pkrs - sizeof s->pkrs[0]);
        memmove(&s->pkr_bytes[0], &s->pkr_bytes[1], sizeof s->pkr_bytes - sizeof s->pkr_bytes[0]);
        s->n_pkrs--;
    }
    memcpy(s->pkrs[s->n_pkrs], bytes, n);
    s->pkr_bytes[s->n_pkrs++] = (uint32_t)n;
    return true;
}

/* the message whose root key the chain in force goes back to; its header is the last one tried */
static bool take_kroot(const struct gn_osnma *o, const struct chain *c, struct gn_osnma_state *s)
{
    for (unsigned id = 0; id < PKR_ID; id++) {
        const struct dsm *d = &o->dsms[id];
        struct gn_osnma_kroot_fields k;
        size_t n = (size_t)d->n_blocks * GN_OSNMA_BLOCK_BYTES;
        if (!d->is_done || d->n_tried == 0 || d->n_tried > GN_COUNT(d->tried))
            continue;
        uint8_t header = d->tried[d->n_tried - 1];
        if (!gn_osnma_kroot_parse(header, d->bytes, n, &k) || k.cid != c->p.cid ||
                memcmp(k.kroot, c->root.bytes, k.key_bytes) != 0 ||
                (s->has_kroot && s->kroot_bytes == n && memcmp(s->kroot, d->bytes, n) == 0))
            continue;
        s->has_kroot = 1;
        s->nma_header = header;
        s->kroot_bytes = (uint32_t)n;
        memset(s->kroot, 0, sizeof s->kroot);
        memcpy(s->kroot, d->bytes, n);
        return true;
    }
    return false;
}

static bool take_revoked(const struct gn_osnma *o, struct gn_osnma_state *s)
{
    uint8_t n = 0;
    for (unsigned i = 0; i < GN_COUNT(o->chains); i++)
        if (o->chains[i].is_revoked)
            s->revoked[n++] = o->chains[i].p;
    bool is_new = n != s->n_revoked;
    s->n_revoked = n;
    return is_new;
}

bool gn_osnma_state_take(const struct gn_osnma *o, struct gn_osnma_state *s)
{
    bool is_new = take_revoked(o, s);
    for (unsigned id = PKR_ID; id < GN_COUNT(o->dsms); id++)
        if (o->dsms[id].is_done)
            is_new |= put_pkr(s, o->dsms[id].bytes, (size_t)o->dsms[id].n_blocks * GN_OSNMA_BLOCK_BYTES);
    const struct chain *newest = NULL;
    for (unsigned i = 0; i < GN_COUNT(o->chains); i++)
        if (o->chains[i].is_known && o->chains[i].is_used && (newest == NULL || o->chains[i].newest.sf > newest->newest.sf))
            newest = &o->chains[i];
    if (newest == NULL)
        return is_new;
    is_new |= take_kroot(o, newest, s);
    s->has_key = 1;
    s->key_cid = newest->p.cid;
    s->key = newest->newest;
    return is_new;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------------------ */
struct writer {
    uint8_t *p;
    size_t n, room;
};

static void put(struct writer *w, const void *bytes, size_t n)
{
    if (n > 0 && w->n + n <= w->room)
        memcpy(w->p + w->n, bytes, n);
    w->n += n; /* over the room: told at the end */
}

static void put_le(struct writer *w, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        put(w, &(uint8_t){(uint8_t)(v >> (8 * i))}, 1);
}

static void put_record(struct writer *w, unsigned kind, unsigned detail, const void *bytes, size_t n)
{
    put_le(w, kind, 1);
    put_le(w, detail, 1);
    put_le(w, n, 2);
    put(w, bytes, n);
}

static void put_records(struct writer *w, const struct gn_osnma_state *s)
{
    if (s->has_kroot)
        put_record(w, REC_KROOT, s->nma_header, s->kroot, s->kroot_bytes);
    for (unsigned i = 0; i < s->n_pkrs; i++)
        put_record(w, REC_PKR, 0, s->pkrs[i], s->pkr_bytes[i]);
    if (s->has_key) {
        put_record(w, REC_KEY, s->key_cid, NULL, 0);
        w->p[w->n - 2] = KEY_RECORD;
        put_le(w, (uint64_t)s->key.sf, 8);
        put(w, s->key.bytes, sizeof s->key.bytes);
    }
    for (unsigned i = 0; i < s->n_revoked; i++) {
        const struct gn_tesla_chain *p = &s->revoked[i];
        uint8_t r[CHAIN_RECORD] = {p->hf, p->mf, p->key_bytes, p->tag_bits, p->maclt, p->cid, p->pkid, 0};
        memcpy(r + 8, p->alpha, sizeof p->alpha);
        put_record(w, REC_REVOKED, p->cid, r, sizeof r);
    }
}

static bool sum_of(const uint8_t *data, size_t n, uint8_t sum[GN_OSNMA_HASH_BYTES])
{
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    bool ok = c != NULL && gn_osnma_hash(c, GN_OSNMA_SHA256, data, n, sum);
    gn_osnma_crypto_free(c);
    return ok;
}

size_t gn_osnma_state_write(const struct gn_osnma_state *s, uint8_t *out, size_t room)
{
    struct writer w = {.p = out, .room = room};
    uint8_t sum[GN_OSNMA_HASH_BYTES];
    if (room < GN_OSNMA_STATE_FILE_MAX)
        return 0;
    put(&w, MAGIC, MAGIC_BYTES);
    put_le(&w, GN_OSNMA_STATE_VERSION, 2);
    put_le(&w, 0, 2);
    put_le(&w, 0, 4);
    put_records(&w, s);
    struct writer length = {.p = out, .n = 12, .room = room};
    put_le(&length, w.n - HEADER_BYTES, 4);
    if (w.n + sizeof sum > room || !sum_of(out, w.n, sum))
        return 0;
    put(&w, sum, sizeof sum);
    return w.n;
}

/* ---- back -------------------------------------------------------------------------------------------------------------------- */
static bool take_dsm(struct gn_byte_reader *r, size_t n, uint8_t to[GN_OSNMA_DSM_BYTES], uint32_t *n_to)
{
    const uint8_t *p = n >= GN_OSNMA_BLOCK_BYTES && n <= GN_OSNMA_DSM_BYTES ? gn_bytes_take(r, n) : NULL;
    if (p == NULL)
        return false;
    memcpy(to, p, n);
    *n_to = (uint32_t)n;
    return true;
}

static bool take_key(struct gn_byte_reader *r, size_t n, unsigned cid, struct gn_osnma_state *s)
{
    uint64_t sf = gn_bytes_le(r, 8);
    const uint8_t *p = gn_bytes_take(r, GN_OSNMA_KEY_BYTES);
    if (n != KEY_RECORD || p == NULL || cid > 3 || sf > UINT32_MAX || s->has_key)
        return false;
    s->has_key = 1;
    s->key_cid = (uint8_t)cid;
    s->key.sf = (int64_t)sf;
    memcpy(s->key.bytes, p, GN_OSNMA_KEY_BYTES);
    return true;
}

static bool take_chain(struct gn_byte_reader *r, size_t n, struct gn_osnma_state *s)
{
    const uint8_t *p = n == CHAIN_RECORD ? gn_bytes_take(r, n) : NULL;
    if (p == NULL || s->n_revoked == GN_COUNT(s->revoked) || p[5] > 3)
        return false;
    struct gn_tesla_chain *c = &s->revoked[s->n_revoked++];
    *c = (struct gn_tesla_chain){.hf = p[0], .mf = p[1], .key_bytes = p[2], .tag_bits = p[3], .maclt = p[4], .cid = p[5],
            .pkid = p[6]};
    memcpy(c->alpha, p + 8, sizeof c->alpha);
    return true;
}

static bool take_record(struct gn_byte_reader *r, struct gn_osnma_state *s)
{
    uint64_t kind = gn_bytes_le(r, 1), detail = gn_bytes_le(r, 1), n = gn_bytes_le(r, 2);
    if (r->is_past_end)
        return false;
    if (kind == REC_KROOT && !s->has_kroot) {
        s->has_kroot = 1;
        s->nma_header = (uint8_t)detail;
        return take_dsm(r, n, s->kroot, &s->kroot_bytes);
    }
    if (kind == REC_PKR && s->n_pkrs < GN_OSNMA_STATE_PKRS) {
        unsigned i = s->n_pkrs++;
        return take_dsm(r, n, s->pkrs[i], &s->pkr_bytes[i]);
    }
    if (kind == REC_KEY)
        return take_key(r, n, (unsigned)detail, s);
    return kind == REC_REVOKED && take_chain(r, n, s);
}

gn_status gn_osnma_state_read(const uint8_t *data, size_t n_bytes, struct gn_osnma_state *ret, struct gn_error *err)
{
    struct gn_osnma_state s = {0};
    uint8_t sum[GN_OSNMA_HASH_BYTES];
    struct gn_byte_reader r = gn_byte_reader_of(data, n_bytes);
    if (n_bytes < HEADER_BYTES + sizeof sum || n_bytes > GN_OSNMA_STATE_FILE_MAX || memcmp(data, MAGIC, MAGIC_BYTES) != 0)
        return gn_fail_byte(err, GN_E_DATA, 0, "this is no OSNMA state file");
    (void)gn_bytes_take(&r, MAGIC_BYTES);
    uint64_t version = gn_bytes_le(&r, 2);
    if (version != GN_OSNMA_STATE_VERSION)
        return gn_fail_byte(err, GN_E_DATA, 8, "it is of version %u, this program reads version %d", (unsigned)version,
                GN_OSNMA_STATE_VERSION);
    if (!sum_of(data, n_bytes - sizeof sum, sum) || memcmp(sum, data + n_bytes - sizeof sum, sizeof sum) != 0)
        return gn_fail_byte(err, GN_E_DATA, n_bytes - sizeof sum, "its checksum does not fit: it is damaged");
    uint64_t zero = gn_bytes_le(&r, 2), length = gn_bytes_le(&r, 4);
    r.n_bytes = n_bytes - sizeof sum;
    if (zero != 0 || length != r.n_bytes - HEADER_BYTES)
        return gn_fail_byte(err, GN_E_DATA, 10, "its length does not fit");
    while (r.at < r.n_bytes) {
        size_t at = r.at;
        if (!take_record(&r, &s))
            return gn_fail_byte(err, GN_E_DATA, at, "the record at byte %zu makes no sense", at);
    }
    *ret = s;
    return GN_OK;
}

gn_status gn_osnma_state_load(const char *path, struct gn_osnma_state *ret, bool *is_there, struct gn_error *err)
{
    uint8_t data[GN_OSNMA_STATE_FILE_MAX + 1];
    FILE *f = fopen(path, "rb");
    *is_there = f != NULL || errno != ENOENT;
    if (f == NULL)
        return *is_there ? gn_fail(err, GN_E_IO, "it cannot be opened") : GN_OK;
    size_t n = fread(data, 1, sizeof data, f);
    bool is_bad = ferror(f) != 0;
    (void)fclose(f);
    return is_bad ? gn_fail(err, GN_E_IO, "it cannot be read") : gn_osnma_state_read(data, n, ret, err);
}

/* ---- believe nothing ----------------------------------------------------------------------------------------------------------- */
enum gn_osnma_start gn_osnma_start_of(const struct gn_osnma_anchor *a)
{
    bool has_key = false;
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++)
        has_key = has_key || a->pubkeys[i].is_used;
    if (has_key)
        return a->has_kroot ? GN_OSNMA_START_HOT : GN_OSNMA_START_WARM;
    return a->has_root || a->has_new_root ? GN_OSNMA_START_COLD : GN_OSNMA_START_NONE;
}

static void say(char why[96], const char *text)
{
    size_t n = strlen(why);
    (void)snprintf(why + n, 96 - n, "%s%s", n > 0 ? "; " : "", text);
}

/* the public key joins the anchors when the Merkle root vouches for it */
static void apply_pkr(struct gn_osnma_crypto *crypto, const uint8_t *bytes, size_t n, struct gn_osnma_anchor *a,
        bool *is_alert, char why[96])
{
    struct gn_osnma_pkr_fields p;
    uint8_t root[GN_OSNMA_HASH_BYTES];
    if (!gn_osnma_pkr_parse(bytes, n, &p)) {
        say(why, "a kept public key holds reserved values");
        return;
    }
    gn_osnma_merkle_root(crypto, p.leaf, p.leaf_bytes, p.mid, p.itn[0], root);
    bool is_old = a->has_root && memcmp(root, a->root, sizeof root) == 0;
    bool is_new = a->has_new_root && memcmp(root, a->new_root, sizeof root) == 0;
    if (!is_old && !is_new) {
        say(why, "a kept public key is of another Merkle root");
        return;
    }
    if (p.curve == GN_OSNMA_CURVE_NONE) {
        *is_alert = true;
        return;
    }
    struct gn_osnma_pubkey *free_slot = NULL;
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++) {
        struct gn_osnma_pubkey *k = &a->pubkeys[i];
        if (k->is_used && k->pkid == p.npkid && k->is_new_root == !is_old)
            return; /* the user's own word stands */
        if (!k->is_used && free_slot == NULL)
            free_slot = k;
    }
    if (free_slot == NULL)
        return;
    *free_slot = (struct gn_osnma_pubkey){.pkid = p.npkid, .curve = p.curve, .is_new_root = !is_old, .is_used = 1};
    memcpy(free_slot->point, p.leaf + 1, gn_osnma_curves[p.curve].point_bytes);
}

static bool is_signed(const struct gn_osnma_state *s, const struct gn_osnma_anchor *a, struct gn_osnma_kroot_fields *k)
{
    if (!gn_osnma_kroot_parse(s->nma_header, s->kroot, s->kroot_bytes, k))
        return false;
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++) {
        const struct gn_osnma_pubkey *key = &a->pubkeys[i];
        size_t n_sig = gn_osnma_curves[key->curve % GN_OSNMA_CURVE_COUNT].sig_bytes;
        const uint8_t *sig = gn_osnma_kroot_signature(k, s->kroot, s->kroot_bytes, n_sig);
        if (key->is_used && key->pkid == k->pkid && sig != NULL &&
                gn_osnma_signature_verify(key->curve, key->point, gn_osnma_curves[key->curve].point_bytes, k->msg,
                        k->msg_bytes, sig, n_sig) == GN_AUTHENTIC)
            return true;
    }
    return false;
}

static bool is_revoked(const struct gn_osnma_state *s, const struct gn_osnma_kroot_fields *k)
{
    for (unsigned i = 0; i < s->n_revoked; i++)
        if (s->revoked[i].cid == k->cid && memcmp(s->revoked[i].alpha, k->alpha, sizeof k->alpha) == 0)
            return true;
    return false;
}

/* does the kept key lead back to the signed root? Its time says in how many steps. */
static bool is_on_chain(struct gn_osnma_crypto *crypto, const struct gn_osnma_state *s, const struct gn_osnma_kroot_fields *k)
{
    struct gn_tesla_chain chain = {.hf = k->hf, .mf = k->mf, .key_bytes = k->key_bytes};
    struct gn_tesla_key key = s->key;
    memcpy(chain.alpha, k->alpha, sizeof chain.alpha);
    int64_t wn = gn_osnma_full_week(k->wn12, key.sf * GN_OSNMA_SUBFRAME_S / 604800);
    int64_t n = key.sf - (gn_osnma_sf(wn, k->towh * 3600L) - 1);
    return s->key_cid == k->cid && n >= 0 && n <= GN_TESLA_STEPS_MAX &&
           gn_tesla_walk(crypto, &chain, &key, n, NULL, NULL) == GN_OK && memcmp(key.bytes, k->kroot, k->key_bytes) == 0;
}

static void apply_kroot(struct gn_osnma_crypto *crypto, const struct gn_osnma_state *s, struct gn_osnma_config *config,
        char why[96])
{
    struct gn_osnma_kroot_fields k;
    if (!s->has_kroot)
        return;
    if (!is_signed(s, &config->anchor, &k)) {
        say(why, "no public key of yours signed the kept root key");
        return;
    }
    if (is_revoked(s, &k)) {
        say(why, "the kept root key's chain was revoked");
        return;
    }
    config->anchor.has_kroot = 1;
    config->anchor.nma_header = s->nma_header;
    config->anchor.kroot_bytes = s->kroot_bytes;
    memcpy(config->anchor.kroot, s->kroot, sizeof s->kroot);
    if (s->has_key && !is_on_chain(crypto, s, &k)) {
        say(why, "the kept chain key does not lead to the root key");
        return;
    }
    config->has_start_key = s->has_key;
    config->start_key_cid = s->key_cid;
    config->start_key = s->key;
}

enum gn_osnma_start gn_osnma_state_apply(const struct gn_osnma_state *s, struct gn_osnma_config *config, bool *is_alert,
        char why[96])
{
    char unused[96];
    char *words = why != NULL ? why : unused;
    struct gn_osnma_crypto *crypto = gn_osnma_crypto_new();
    words[0] = '\0';
    *is_alert = false;
    if (crypto == NULL)
        return gn_osnma_start_of(&config->anchor);
    for (unsigned i = 0; i < s->n_pkrs; i++)
        apply_pkr(crypto, s->pkrs[i], s->pkr_bytes[i], &config->anchor, is_alert, words);
    apply_kroot(crypto, s, config, words);
    config->n_revoked = s->n_revoked;
    memcpy(config->revoked, s->revoked, sizeof config->revoked);
    gn_osnma_crypto_free(crypto);
    return gn_osnma_start_of(&config->anchor);
}
