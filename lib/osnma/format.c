/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/osnma/format.h"

#include <string.h>

/* OSNMA SIS ICD 1.1 tables 9, 10, 18: 0 = reserved */
static const uint8_t kroot_blocks[16] = {0, 7, 8, 9, 10, 11, 12, 13, 14};
static const uint8_t pkr_blocks[16] = {[7] = 13, [8] = 14, [9] = 15, [10] = 16};
static const uint8_t key_bytes_of[16] = {12, 13, 14, 15, 16, 20, 24, 28, 32};
static const uint8_t tag_bits_of[16] = {[5] = 20, [6] = 24, [7] = 28, [8] = 32, [9] = 40};

int64_t gn_osnma_full_week(uint32_t wn12, int64_t near_wn)
{
    int64_t wn = (near_wn & ~(int64_t)4095) | (int64_t)(wn12 & 4095u);
    if (wn - near_wn > 2048 && wn >= 4096)
        wn -= 4096;
    else if (near_wn - wn > 2048)
        wn += 4096;
    return wn;
}

unsigned gn_osnma_kroot_blocks(uint8_t first)
{
    return kroot_blocks[first >> 4];
}

unsigned gn_osnma_pkr_blocks(uint8_t first)
{
    return pkr_blocks[first >> 4];
}

/* byte 0: NB PKID; 1: CIDKR res HF MF; 2: KS TS; 3: MACLT; 4: res WN; 5: WN; 6: TOWH; 7..12 alpha; KROOT */
bool gn_osnma_kroot_parse_as(enum gn_osnma_profile profile, uint8_t header, const uint8_t *dsm, size_t n_bytes,
        struct gn_osnma_kroot_fields *ret)
{
    unsigned shortest = profile == GN_OSNMA_DRAFT ? GN_OSNMA_P224 : GN_OSNMA_P256;
    struct gn_osnma_kroot_fields k = {0};
    if (n_bytes < 13)
        return false;
    k.n_blocks = kroot_blocks[dsm[0] >> 4];
    k.pkid = dsm[0] & 15u;
    k.cid = dsm[1] >> 6;
    k.hf = dsm[1] >> 2 & 3u;
    k.mf = dsm[1] & 3u;
    k.key_bytes = key_bytes_of[dsm[2] >> 4];
    k.tag_bits = tag_bits_of[dsm[2] & 15u];
    k.maclt = dsm[3];
    k.wn12 = (uint16_t)((dsm[4] & 15u) << 8 | dsm[5]);
    k.towh = dsm[6];
    memcpy(k.alpha, dsm + 7, sizeof k.alpha);
    bool hf_ok = k.hf == GN_OSNMA_SHA256 || k.hf == GN_OSNMA_SHA3_256 ||
                 (profile == GN_OSNMA_DRAFT && k.hf == GN_OSNMA_SHA3_224 && k.key_bytes <= GN_OSNMA_SHA3_224_BYTES);
    bool mf_ok = k.mf == GN_OSNMA_HMAC_SHA256 || k.mf == GN_OSNMA_CMAC_AES;
    if (!hf_ok || !mf_ok || k.n_blocks == 0 || k.key_bytes == 0 || k.tag_bits == 0 || k.towh >= 168 ||
            n_bytes != (size_t)k.n_blocks * GN_OSNMA_BLOCK_BYTES)
        return false;
    size_t signed_bytes = 13u + k.key_bytes; /* what comes before DS */
    if (signed_bytes + gn_osnma_curves[shortest].sig_bytes > n_bytes)
        return false;
    memcpy(k.kroot, dsm + 13, k.key_bytes);
    k.msg[0] = header;
    memcpy(k.msg + 1, dsm + 1, signed_bytes - 1);
    k.msg_bytes = signed_bytes;
    *ret = k;
    return true;
}

bool gn_osnma_kroot_parse(
        uint8_t header, const uint8_t *dsm, size_t n_bytes, struct gn_osnma_kroot_fields *ret)
{
    return gn_osnma_kroot_parse_as(GN_OSNMA_STANDARD, header, dsm, n_bytes, ret);
}

const uint8_t *gn_osnma_kroot_signature(const struct gn_osnma_kroot_fields *k, const uint8_t *dsm,
        size_t n_bytes, size_t sig_bytes)
{
    size_t at = 13u + k->key_bytes;
    return sig_bytes > 0 && at + sig_bytes <= n_bytes ? dsm + at : NULL;
}

bool gn_osnma_curve_ok(enum gn_osnma_profile profile, unsigned curve)
{
    bool is_drafts = curve == GN_OSNMA_P224 || curve == GN_OSNMA_P384;
    return curve != GN_OSNMA_CURVE_NONE && curve < GN_OSNMA_CURVE_COUNT && (profile == GN_OSNMA_DRAFT || !is_drafts);
}

bool gn_osnma_pkr_parse(const uint8_t *dsm, size_t n_bytes, struct gn_osnma_pkr_fields *ret)
{
    return gn_osnma_pkr_parse_as(GN_OSNMA_STANDARD, dsm, n_bytes, ret);
}

bool gn_osnma_pkr_parse_as(
        enum gn_osnma_profile profile, const uint8_t *dsm, size_t n_bytes, struct gn_osnma_pkr_fields *ret)
{
    static const uint8_t curve_of[16] = {[GN_NPKT_P256] = GN_OSNMA_P256, [GN_NPKT_P521] = GN_OSNMA_P521,
            [GN_NPKT_P224] = GN_OSNMA_P224, [GN_NPKT_P384] = GN_OSNMA_P384};
    enum { LEAF_AT = 1 + 4 * GN_OSNMA_HASH_BYTES }; /* NB MID, four nodes, then the leaf */
    struct gn_osnma_pkr_fields p = {0};
    if (n_bytes < LEAF_AT + 1)
        return false;
    p.n_blocks = pkr_blocks[dsm[0] >> 4];
    if (n_bytes != (size_t)p.n_blocks * GN_OSNMA_BLOCK_BYTES)
        return false;
    p.mid = dsm[0] & 15u;
    memcpy(p.itn, dsm + 1, sizeof p.itn);
    p.npkt = dsm[LEAF_AT] >> 4;
    p.npkid = dsm[LEAF_AT] & 15u;
    if (p.npkt == GN_NPKT_OAM)
        p.leaf_bytes = n_bytes - LEAF_AT;
    else if (gn_osnma_curve_ok(profile, curve_of[p.npkt]))
        p.curve = curve_of[p.npkt];
    else
        return false;
    if (p.curve != GN_OSNMA_CURVE_NONE)
        p.leaf_bytes = 1 + gn_osnma_curves[p.curve].point_bytes;
    if (LEAF_AT + p.leaf_bytes > n_bytes || p.leaf_bytes > sizeof p.leaf)
        return false;
    memcpy(p.leaf, dsm + LEAF_AT, p.leaf_bytes);
    *ret = p;
    return true;
}

/* OSNMA SIS ICD 1.1 annex C: 00S = ADKD 0 of the sender itself, 00E = of any satellite, FLX = MACSEQ says */
#define S(a)                                                                                       \
    {                                                                                              \
        .adkd = (a), .kind = GN_SLOT_SELF                                                          \
    }
#define E(a)                                                                                       \
    {                                                                                              \
        .adkd = (a), .kind = GN_SLOT_ANY                                                           \
    }
#define F                                                                                          \
    {                                                                                              \
        .kind = GN_SLOT_FLEX                                                                       \
    }
static const struct gn_osnma_maclt maclt[] = {
        {27, 6, {{S(0), E(0), E(0), E(0), S(12), E(0)}, {S(0), E(0), E(0), S(4), S(12), E(0)}}},
        {28, 10, {{S(0), E(0), E(0), E(0), S(0), E(0), E(0), S(12), E(0), E(0)},
                         {S(0), E(0), E(0), S(0), E(0), E(0), S(4), S(12), E(0), E(0)}}},
        {31, 5, {{S(0), E(0), E(0), S(12), E(0)}, {S(0), E(0), E(0), S(12), S(4)}}},
        {33, 6, {{S(0), E(0), S(4), E(0), S(12), E(0)}, {S(0), E(0), E(0), S(12), E(0), E(12)}}},
        {34, 6, {{S(0), F, S(4), F, S(12), E(0)}, {S(0), F, E(0), S(12), E(0), E(12)}}},
        {35, 6, {{S(0), F, S(4), F, S(12), F}, {S(0), F, F, S(12), F, F}}},
        {36, 5, {{S(0), F, S(4), F, S(12)}, {S(0), F, E(0), S(12), E(12)}}},
        {37, 5, {{S(0), E(0), S(4), E(0), S(12)}, {S(0), E(0), E(0), S(12), E(12)}}},
        {38, 5, {{S(0), F, S(4), F, S(12)}, {S(0), F, F, S(12), F}}},
        {39, 4, {{S(0), F, S(4), F}, {S(0), F, E(0), S(12)}}},
        {40, 4, {{S(0), E(0), S(4), S(12)}, {S(0), E(0), E(0), E(12)}}},
        {41, 4, {{S(0), F, S(4), F}, {S(0), F, F, S(12)}}},
};
#undef S
#undef E
#undef F

const struct gn_osnma_maclt *gn_osnma_maclt_find(unsigned id)
{
    for (size_t i = 0; i < GN_COUNT(maclt); i++)
        if (maclt[i].id == id)
            return &maclt[i];
    return NULL;
}
