/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/gpsauth/mac.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t width_min, width_max;
} archs[] = {
        [GN_GA_SERIAL] = {"serial", 8, 32},
        [GN_GA_PARALLEL] = {"parallel", GN_GA_DIGIT_MIN, GN_GA_DIGIT_MAX},
        [GN_GA_HYBRID] = {"hybrid", GN_GA_DIGIT_MIN, GN_GA_DIGIT_MAX},
        [GN_GA_NATIVE] = {"native", 0, 0},
};

static bool has_width(enum gn_ga_arch arch, uint32_t width)
{
    const bool in_range = width >= archs[arch].width_min && width <= archs[arch].width_max;
    return in_range && (arch != GN_GA_SERIAL || width == 8 || width == 16 || width == 32);
}

bool gn_ga_arch_parse(const char *name, enum gn_ga_arch *arch, uint32_t *width)
{
    for (size_t i = 0; i < GN_COUNT(archs); i++) {
        const size_t n = strlen(archs[i].name);
        char *end = NULL;
        if (strncmp(name, archs[i].name, n) != 0)
            continue;
        const unsigned long w = name[n] >= '1' && name[n] <= '9' ? strtoul(name + n, &end, 10) : 0;
        *arch = (enum gn_ga_arch)i;
        *width = w > 32 ? 33 : (uint32_t)w;
        return (end == NULL ? name[n] : *end) == '\0' && has_width(*arch, *width);
    }
    return false;
}

const char *gn_ga_arch_name(enum gn_ga_arch arch, uint32_t width, char text[24])
{
    if (width != 0)
        (void)snprintf(text, 24, "%s%u", archs[arch].name, width);
    else
        (void)snprintf(text, 24, "%s", archs[arch].name);
    return text;
}

/* ---- tables: row d holds d * s ----------------------------------------------------------------------------------------- */
static gn_status make_table(struct gn_ga_mac *m)
{
    const uint32_t n_rows = 1u << m->width;

    m->n_row = gn_ga_limbs(m->shape.s_bits + m->width);
    m->table = calloc((size_t)n_rows * m->n_row, sizeof *m->table);
    if (m->table == NULL)
        return GN_E_NOMEM;
    for (uint32_t d = 1; d < n_rows; d++) {
        const uint64_t *before = m->table + (size_t)(d - 1) * m->n_row;
        uint64_t *row = m->table + (size_t)d * m->n_row;
        uint64_t carry = 0;
        for (uint32_t i = 0; i < m->n_row; i++)
            row[i] = gn_ga_add(before[i], i < m->n_s ? m->s[i] : 0, &carry);
    }
    return GN_OK;
}

static bool is_shape(const struct gn_ga_shape *p)
{
    return p->s_bits >= 1 && p->s_bits <= GN_GA_S_BITS_MAX && p->c_bits >= 1 && p->c_bits <= GN_GA_C_BITS_MAX
            && p->r_bits >= p->s_bits + p->c_bits && p->r_bits <= GN_GA_R_BITS_MAX;
}

gn_status gn_ga_mac_open(struct gn_ga_mac *m, enum gn_ga_arch arch, uint32_t width,
        const struct gn_ga_shape *shape, const struct gn_ga_wide *s)
{
    memset(m, 0, sizeof *m);
    if (!is_shape(shape) || !has_width(arch, width) || gn_ga_wide_bits(s) > shape->s_bits)
        return GN_E_ARG;
    m->arch = arch;
    m->width = width;
    m->shape = *shape;
    m->n_s = gn_ga_limbs(shape->s_bits);
    memcpy(m->s, s->limb, m->n_s * sizeof m->s[0]);
    return arch == GN_GA_PARALLEL || arch == GN_GA_HYBRID ? make_table(m) : GN_OK;
}

void gn_ga_mac_close(struct gn_ga_mac *m)
{
    if (m->table != NULL) {
        OPENSSL_cleanse(m->table, ((size_t)1 << m->width) * m->n_row * sizeof *m->table);
        free(m->table);
    }
    OPENSSL_cleanse(m, sizeof *m);
}

/* ---- serial: acc = 2 * acc + bit * s, word by word ---------------------------------------------------------------------- */
/* n_bits of a number in limbs, from bit on. n_bits <= 32 divides 64, so no word straddles two limbs. */
static uint64_t word_at(const uint64_t *limb, uint32_t n_limbs, uint32_t bit, uint32_t n_bits)
{
    const uint32_t i = bit / 64;
    return i < n_limbs ? limb[i] >> (bit % 64) & (((uint64_t)1 << n_bits) - 1) : 0;
}

/* acc += b & mask through an adder of w bits, n_cycles words from bit 0. */
static uint32_t serial_add(uint64_t *acc, const uint64_t *b, uint32_t n_b, uint64_t mask, uint32_t n_bits, uint32_t w)
{
    const uint32_t n_cycles = (n_bits + w - 1) / w;
    uint64_t carry = 0;

    for (uint32_t i = 0; i < n_cycles; i++) {
        const uint32_t bit = i * w, at = bit / 64, up = bit % 64;
        const uint64_t ones = ((uint64_t)1 << w) - 1;
        const uint64_t sum = word_at(acc, GN_GA_LIMBS, bit, w) + (word_at(b, n_b, bit, w) & mask) + carry;
        acc[at] = (acc[at] & ~(ones << up)) | (sum & ones) << up;
        carry = sum >> w;
    }
    if (n_cycles * w < 64 * GN_GA_LIMBS)
        acc[n_cycles * w / 64] += carry << (n_cycles * w % 64); /* the carry's flip-flop is the top bit */
    return n_cycles;
}

static void shift_up(uint64_t *acc)
{
    uint64_t carry = 0;
    for (uint32_t i = 0; i < GN_GA_LIMBS; i++) {
        const uint64_t out = acc[i] >> 63;
        acc[i] = acc[i] << 1 | carry;
        carry = out;
    }
}

static uint32_t answer_serial(const struct gn_ga_mac *m, uint64_t c, const struct gn_ga_wide *r, struct gn_ga_wide *y)
{
    const uint32_t n_product = m->shape.s_bits + m->shape.c_bits;
    uint32_t cycles = 0;

    memset(y, 0, sizeof *y);
    for (uint32_t bit = m->shape.c_bits; bit-- > 0;) {
        shift_up(y->limb);
        cycles += serial_add(y->limb, m->s, m->n_s, 0 - (c >> bit & 1u), n_product, m->width);
    }
    return cycles + serial_add(y->limb, r->limb, GN_GA_LIMBS, UINT64_MAX, m->shape.r_bits, m->width);
}

/* ---- constant multipliers ------------------------------------------------------------------------------------------------ */
static uint32_t n_digits(const struct gn_ga_shape *shape, uint32_t width)
{
    return (shape->c_bits + width - 1) / width;
}

static uint32_t answer_tables(const struct gn_ga_mac *m, uint64_t c, const struct gn_ga_wide *r, struct gn_ga_wide *y)
{
    const uint32_t n = n_digits(&m->shape, m->width);

    *y = *r;
    for (uint32_t j = 0; j < n; j++) {
        const uint64_t digit = c >> (j * m->width) & ((1u << m->width) - 1);
        gn_ga_wide_add_shifted(y, m->table + digit * m->n_row, m->n_row, j * m->width);
    }
    return m->arch == GN_GA_PARALLEL ? n : n + 1; /* n - 1 adders and r's; one digit a cycle and r */
}

/* ---- limbs ---------------------------------------------------------------------------------------------------------------- */
static uint32_t answer_native(const struct gn_ga_mac *m, uint64_t c, const struct gn_ga_wide *r, struct gn_ga_wide *y)
{
    const uint32_t n_y = gn_ga_limbs(m->shape.r_bits + 1);
    uint64_t carry = 0;
    uint32_t i = 0;

    for (; i < m->n_s; i++)
        y->limb[i] = gn_ga_mul_add(m->s[i], c, r->limb[i], &carry);
    for (; i < n_y; i++)
        y->limb[i] = gn_ga_mul_add(1, r->limb[i], 0, &carry);
    for (; i < GN_GA_LIMBS; i++)
        y->limb[i] = 0;
    return m->n_s;
}

uint32_t gn_ga_mac_answer(const struct gn_ga_mac *m, uint64_t c, const struct gn_ga_wide *r, struct gn_ga_wide *y)
{
    static uint32_t (*const answers[])(
            const struct gn_ga_mac *, uint64_t, const struct gn_ga_wide *, struct gn_ga_wide *) = {
            [GN_GA_SERIAL] = answer_serial, [GN_GA_PARALLEL] = answer_tables,
            [GN_GA_HYBRID] = answer_tables, [GN_GA_NATIVE] = answer_native,
    };
    return answers[m->arch](m, c, r, y);
}

uint32_t gn_ga_mac_answer_lhw(const struct gn_ga_mac *m, const uint32_t *positions, uint32_t n,
        const struct gn_ga_wide *r, struct gn_ga_wide *y)
{
    struct gn_ga_wide copies = {.limb = {0}};
    uint32_t cycles = 1;

    for (uint32_t i = 0; i < n; i++)
        gn_ga_wide_add_shifted(&copies, m->s, m->n_s, positions[i]); /* they do not overlap: wiring, no adder */
    *y = copies;
    if (m->arch == GN_GA_SERIAL)
        cycles = serial_add(y->limb, r->limb, GN_GA_LIMBS, UINT64_MAX, m->shape.r_bits, m->width);
    else
        gn_ga_wide_add_shifted(y, r->limb, GN_GA_LIMBS, 0);
    gn_ga_wide_wipe(&copies);
    return cycles;
}

/* ---- model ----------------------------------------------------------------------------------------------------------------- */
static uint32_t ceil_div(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

uint32_t gn_ga_core_cycles(enum gn_ga_arch arch, uint32_t width, const struct gn_ga_shape *p)
{
    switch (arch) {
    case GN_GA_SERIAL: return p->c_bits * ceil_div(p->s_bits + p->c_bits, width) + ceil_div(p->r_bits, width);
    case GN_GA_PARALLEL: return n_digits(p, width);
    case GN_GA_HYBRID: return n_digits(p, width) + 1;
    case GN_GA_NATIVE: break;
    }
    return gn_ga_limbs(p->s_bits);
}

uint32_t gn_ga_system_cycles(enum gn_ga_arch arch, uint32_t width, const struct gn_ga_shape *p)
{
    const uint32_t core = gn_ga_core_cycles(arch, width, p);

    if (arch == GN_GA_SERIAL)
        return core + 4;
    return arch == GN_GA_HYBRID ? 3 * ceil_div(p->r_bits, 16) + 3 : core;
}

uint64_t gn_ga_table_bits(enum gn_ga_arch arch, uint32_t width, const struct gn_ga_shape *p)
{
    const uint64_t one = ((uint64_t)1 << width) * (p->s_bits + width);

    if (arch == GN_GA_PARALLEL)
        return one * n_digits(p, width);
    return arch == GN_GA_HYBRID ? one : 0;
}
