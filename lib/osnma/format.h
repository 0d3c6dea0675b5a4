/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What the bits of OSNMA mean: headers, DSM-KROOT, DSM-PKR, the MAC look-up table.
 * Source: OSNMA SIS ICD 1.1 sections 3.1, 3.2, annex C. Nothing here decides trust. [any thread] */
#ifndef GN_OSNMA_FORMAT_H
#define GN_OSNMA_FORMAT_H

#include "lib/osnma/crypto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GN_OSNMA_SUBFRAME_S   30
#define GN_OSNMA_PAGES        15 /* in a sub-frame */
#define GN_OSNMA_PRNS         36
#define GN_OSNMA_PAGE_BYTES   30
#define GN_OSNMA_MACK_BYTES   60
#define GN_OSNMA_MACK_BITS    480u
#define GN_OSNMA_BLOCK_BYTES  13
#define GN_OSNMA_BLOCKS_MAX   16
#define GN_OSNMA_DSM_BYTES    (GN_OSNMA_BLOCKS_MAX * GN_OSNMA_BLOCK_BYTES)
#define GN_OSNMA_TAGS_MAX     10 /* KS 96, TS 20 */
#define GN_OSNMA_CED_BITS     549u
#define GN_OSNMA_TIMING_BITS  141u
#define GN_OSNMA_CONTENT_BYTES 69
#define GN_OSNMA_WORD_BYTES   16

enum gn_osnma_nmas { GN_NMAS_RESERVED = 0, GN_NMAS_TEST, GN_NMAS_OPERATIONAL, GN_NMAS_DONT_USE };
enum gn_osnma_cpks {
    GN_CPKS_RESERVED = 0,
    GN_CPKS_NOMINAL,
    GN_CPKS_END_OF_CHAIN,
    GN_CPKS_CHAIN_REVOKED,
    GN_CPKS_NEW_KEY,
    GN_CPKS_KEY_REVOKED,
    GN_CPKS_NEW_MERKLE,
    GN_CPKS_ALERT,
};

static inline unsigned gn_nma_nmas(uint8_t header)
{
    return header >> 6;
}
static inline unsigned gn_nma_cid(uint8_t header)
{
    return header >> 4 & 3u;
}
static inline unsigned gn_nma_cpks(uint8_t header)
{
    return header >> 1 & 7u;
}

/* Which algorithms may be used: today's, or also those of the drafts (SHA3-224, P-224, P-384). The user says it, never
 * the signal. docs/decisions/0053-osnma-draft-profile.md */
enum gn_osnma_profile { GN_OSNMA_STANDARD = 0, GN_OSNMA_DRAFT };

/* ---- time: sub-frames since GST week 0; a 12-bit week is laid next to a known time ---------------- */
static inline int64_t gn_osnma_sf(int64_t wn, int64_t tow_s)
{
    return (wn * 604800 + tow_s) / GN_OSNMA_SUBFRAME_S;
}
/* GST as hashed and signed: WN(12) || TOW(20) of the sub-frame's start */
static inline uint32_t gn_osnma_gst(int64_t sf)
{
    int64_t t_s = sf * GN_OSNMA_SUBFRAME_S;
    return (uint32_t)(t_s / 604800 % 4096) << 20 | (uint32_t)(t_s % 604800);
}
/* The full week nearest to near_wn that ends in the 12 bits wn12; never negative. */
int64_t gn_osnma_full_week(uint32_t wn12, int64_t near_wn);

/* ---- DSM-KROOT --------------------------------------------------------------------------------------- */
struct gn_osnma_kroot_fields {
    uint8_t n_blocks, pkid, cid, hf, mf, maclt;
    uint8_t key_bytes, tag_bits;
    uint8_t towh;
    uint16_t wn12;
    uint8_t alpha[6];
    uint8_t kroot[GN_OSNMA_KEY_BYTES];
    size_t msg_bytes;          /* of the signed message */
    uint8_t msg[1 + 12 + GN_OSNMA_KEY_BYTES];
};

/* Blocks said by the first byte of a DSM, 0 when reserved. */
unsigned gn_osnma_kroot_blocks(uint8_t first);
unsigned gn_osnma_pkr_blocks(uint8_t first);

/* False when a field is reserved or the blocks cannot hold it. header is the NMA header byte. */
GN_NODISCARD bool gn_osnma_kroot_parse(uint8_t header, const uint8_t *dsm, size_t n_bytes,
        struct gn_osnma_kroot_fields *ret);
/* The same with the options of a profile. */
GN_NODISCARD bool gn_osnma_kroot_parse_as(enum gn_osnma_profile profile, uint8_t header, const uint8_t *dsm,
        size_t n_bytes, struct gn_osnma_kroot_fields *ret);
/* Where the signature of sig_bytes lies, NULL when the DSM is too short. */
const uint8_t *gn_osnma_kroot_signature(const struct gn_osnma_kroot_fields *k, const uint8_t *dsm,
        size_t n_bytes, size_t sig_bytes);

/* ---- DSM-PKR ----------------------------------------------------------------------------------------- */
#define GN_NPKT_P256 1
#define GN_NPKT_P521 3
#define GN_NPKT_P224 0 /* drafts */
#define GN_NPKT_P384 2 /* drafts */
#define GN_NPKT_OAM  4

struct gn_osnma_pkr_fields {
    uint8_t n_blocks, mid, npkt, npkid;
    uint8_t curve;             /* GN_OSNMA_CURVE_NONE for an alert message */
    uint8_t reserved[3];
    uint8_t itn[4][GN_OSNMA_HASH_BYTES];
    size_t leaf_bytes;         /* NPKT || NPKID || NPK */
    uint8_t leaf[1 + GN_OSNMA_DSM_BYTES];
};

GN_NODISCARD bool gn_osnma_pkr_parse(const uint8_t *dsm, size_t n_bytes, struct gn_osnma_pkr_fields *ret);
GN_NODISCARD bool gn_osnma_pkr_parse_as(enum gn_osnma_profile profile, const uint8_t *dsm, size_t n_bytes,
        struct gn_osnma_pkr_fields *ret);

/* May a profile use this curve? */
bool gn_osnma_curve_ok(enum gn_osnma_profile profile, unsigned curve);

/* ---- MACK -------------------------------------------------------------------------------------------- */
enum gn_osnma_slot_kind { GN_SLOT_SELF = 0, GN_SLOT_ANY, GN_SLOT_FLEX };

struct gn_osnma_slot {
    uint8_t adkd, kind; /* enum gn_osnma_slot_kind; adkd means nothing in a flexible slot */
};

struct gn_osnma_maclt {
    uint8_t id, n_tags;
    struct gn_osnma_slot slots[2][GN_OSNMA_TAGS_MAX]; /* [GST_SF % 60 != 0] */
};

/* NULL for a table this receiver does not know: no tag may be used then. */
const struct gn_osnma_maclt *gn_osnma_maclt_find(unsigned id);

/* Tags in a MACK: floor((480 - KS) / (TS + 16)) */
static inline unsigned gn_osnma_n_tags(unsigned key_bytes, unsigned tag_bits)
{
    return (GN_OSNMA_MACK_BITS - 8u * key_bytes) / (tag_bits + 16u);
}

#endif
