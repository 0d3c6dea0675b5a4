/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon gpsauth cycles: what the multipliers cost (arXiv:1309.6468, tables I to III and figure 9). */
#include "cli/gpsauth.h"
#include "lib/gpsauth/mac.h"

#include <stdlib.h>

static const struct cli_option options[] = {
        {"s-bits", "N", "one length of the secret instead of 128, 160, 256 and 512", 0, false},
        {"c-bits", "N", "length of the challenge, default 32", 0, false},
        {"digit", "N", "digit of the constant multipliers, 3 to 8 bits, default 4", 0, false},
        {"svg", "FILE", "draw figure 9: bytes of answer a cycle over the secret's length", 0, false},
        {NULL, NULL, NULL, 0, false},
};

#define CLOCK_HZ    8e6  /* the paper's boards */
#define DEADLINE_US 320.0 /* 802.15.4 backoff period that all architectures must keep */
#define N_CIRCUITS  5u

struct circuit {
    enum gn_ga_arch arch;
    uint32_t width;
    double cells_per_bit; /* the paper's linear area slopes, core cells a bit of s; 0: none given */
};

static void circuits_of(uint32_t digit, struct circuit *ret)
{
    const struct circuit all[N_CIRCUITS] = {
            {GN_GA_SERIAL, 8, 0}, {GN_GA_SERIAL, 16, 5.6}, {GN_GA_SERIAL, 32, 0}, {GN_GA_HYBRID, digit, 11.3},
            {GN_GA_PARALLEL, digit, 89.8},
    };
    for (uint32_t i = 0; i < N_CIRCUITS; i++)
        ret[i] = all[i];
}

/* ---- text ------------------------------------------------------------------------------------------------------------------ */
static void print_row(const struct circuit *c, const struct gn_ga_shape *p)
{
    const uint32_t core = gn_ga_core_cycles(c->arch, c->width, p), system = gn_ga_system_cycles(c->arch, c->width, p);
    char name[24];

    (void)printf("%5u %5u  %-10s %6u %8.3f %7u %8.3f %9.1f %9llu ", p->s_bits, p->c_bits,
            gn_ga_arch_name(c->arch, c->width, name), core, core / CLOCK_HZ * 1e6, system, system / CLOCK_HZ * 1e6,
            system / DEADLINE_US * 1e3, (unsigned long long)gn_ga_table_bits(c->arch, c->width, p));
    if (c->cells_per_bit > 0)
        (void)printf("%9.0f\n", c->cells_per_bit * p->s_bits);
    else
        (void)puts("        -");
}

static void print_table(const uint32_t *s_bits, uint32_t n, uint32_t c_bits, const struct circuit *circuits)
{
    (void)puts("    s     c  circuit      core  us@8MHz  system  us@8MHz   min kHz      bits     cells");
    for (uint32_t i = 0; i < n; i++) {
        const struct gn_ga_shape p = {s_bits[i], c_bits, s_bits[i] + c_bits + GN_GA_MARGIN_BITS};
        for (uint32_t k = 0; k < N_CIRCUITS; k++)
            print_row(&circuits[k], &p);
    }
}

/* bytes of answer a cycle, to three decimals as the paper prints them */
static double throughput(const struct circuit *c, uint32_t s_bits, uint32_t c_bits)
{
    const struct gn_ga_shape p = {s_bits, c_bits, s_bits + c_bits + GN_GA_MARGIN_BITS};
    const uint32_t cycles = c->arch == GN_GA_PARALLEL ? 1 : gn_ga_system_cycles(c->arch, c->width, &p);
    const double exact = p.r_bits / 8.0 / cycles;
    return c->arch == GN_GA_PARALLEL ? exact : (double)(int64_t)(exact * 1e3 + 0.5) / 1e3;
}

/* least squares over |s| = 128, 256, 512 */
static double slope(const struct circuit *c, uint32_t c_bits)
{
    static const uint32_t s_bits[] = {128, 256, 512};
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const double n = (double)GN_COUNT(s_bits);

    for (size_t i = 0; i < GN_COUNT(s_bits); i++) {
        const double x = s_bits[i], y = throughput(c, s_bits[i], c_bits);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void print_slopes(uint32_t c_bits, const struct circuit *circuits)
{
    static const struct {
        uint32_t circuit;
        const char *paper;
    } rows[] = {{1, "-46.3e-6, fitted"}, {3, "61.9e-6, fitted"}, {4, "125e-3, exact"}};
    char name[24];

    (void)puts("\nslope of the throughput (figure 9), bytes a cycle and bit of s:");
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        const struct circuit *c = &circuits[rows[i].circuit];
        (void)printf("  %-10s %12.4g   paper: %s\n", gn_ga_arch_name(c->arch, c->width, name), slope(c, c_bits),
                rows[i].paper);
    }
    (void)puts("\ncore cycles, times from them, table bits and the parallel slope are exact; system cycles (control and bus)\n"
               "are a model fitted to the paper's slopes; cells are the paper's area slopes times |s|, by formula.");
}

/* ---- figure 9 ---------------------------------------------------------------------------------------------------------------- */
static int draw(const char *path, uint32_t c_bits, const struct circuit *circuits)
{
    static const struct {
        uint32_t circuit;
        const char *colour;
        double top; /* bytes a cycle at the frame's upper edge */
    } lines[] = {{1, "#c33", 0.1}, {3, "#36c", 1}, {4, "#393", 100}};
    FILE *f = fopen(path, "w");
    char name[24];

    if (f == NULL)
        return cli_fail(CLI_OUTPUT, "%s cannot be written", path);
    (void)fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 400\" font-family=\"sans-serif\" font-size=\"13\">\n"
                "<rect width=\"640\" height=\"400\" fill=\"#fff\"/><path d=\"M60 20V340H620\" fill=\"none\" stroke=\"#000\"/>\n"
                "<text x=\"250\" y=\"385\">|s|, bits (64 to 512)</text>\n", f);
    for (size_t i = 0; i < GN_COUNT(lines); i++) {
        const struct circuit *c = &circuits[lines[i].circuit];
        (void)fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", lines[i].colour);
        for (uint32_t s = 64; s <= 512; s += 16)
            (void)fprintf(f, "%.1f,%.1f ", 60 + (s - 64) * 1.25, 340 - 320 * throughput(c, s, c_bits) / lines[i].top);
        (void)fprintf(f, "\"/>\n<text x=\"70\" y=\"%zu\" fill=\"%s\">%s, full height %g bytes a cycle</text>\n", 30 + 18 * i,
                lines[i].colour, gn_ga_arch_name(c->arch, c->width, name), lines[i].top);
    }
    (void)fputs("</svg>\n", f);
    const bool is_bad = ferror(f) != 0;
    return fclose(f) != 0 || is_bad ? cli_fail(CLI_OUTPUT, "%s was not written completely", path) : CLI_OK;
}

static int run(const struct cli_args *args)
{
    uint32_t s_bits[] = {128, 160, 256, 512}, n = GN_COUNT(s_bits), c_bits = 32, digit = 4;
    struct circuit circuits[N_CIRCUITS];

    if (!cli_number(args, "c-bits", 1, 64, &c_bits) || !cli_number(args, "digit", GN_GA_DIGIT_MIN, GN_GA_DIGIT_MAX, &digit))
        return CLI_USAGE;
    if (cli_value(args, "s-bits") != NULL) {
        n = 1;
        if (!cli_number(args, "s-bits", 1, GN_GA_S_BITS_MAX, &s_bits[0]))
            return CLI_USAGE;
    }
    circuits_of(digit, circuits);
    print_table(s_bits, n, c_bits, circuits);
    print_slopes(c_bits, circuits);
    const char *svg = cli_value(args, "svg");
    const int code = svg != NULL ? draw(svg, c_bits, circuits) : CLI_OK;
    return code != CLI_OK ? code : cli_flush_stdout();
}

const struct cli_command cli_gpsauth_cycles = {
        .name = "gpsauth cycles",
        .usage = "gpsauth cycles [--s-bits N] [--c-bits N] [--digit N] [--svg FILE]",
        .summary = "clock cycles, times and tables of the multipliers",
        .options = options,
        .n_words_max = 0,
        .run = run,
};
