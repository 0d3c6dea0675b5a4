/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The 802.15.4 modem against the standard's rows, GNU Radio's samples, frames captured off air, and noise. */
#include "lib/modem/rx.h"
#include "tests/support/gn_test.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define SAMPLES_MAX 400000u

static size_t bytes_of(const char *hex, uint8_t *out)
{
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        unsigned byte = 0;
        (void)sscanf(hex + 2 * i, "%2x", &byte);
        out[i] = (uint8_t)byte;
    }
    return n;
}

/* IEEE 802.15.4-2006, table 24: rows 0, 1, 8, 15 */
static void chips(void **state)
{
    static const struct {
        unsigned row;
        const char *chips;
    } rows[] = {{0, "11011001110000110101001000101110"}, {1, "11101101100111000011010100100010"},
            {8, "10001100100101100000011101111011"}, {15, "11001001011000000111011110111000"}};
    (void)state;
    for (size_t i = 0; i < GN_COUNT(rows); i++)
        for (unsigned c = 0; c < 32; c++)
            GN_CHECK(rows[i].chips, (gn_oqpsk_chips[rows[i].row] >> (31 - c) & 1U) == (rows[i].chips[c] == '1'));
}

static void fcs(void **state)
{
    static const uint8_t ack[] = {0x02, 0x00, 0x6a}; /* the standard's example of an acknowledgement */
    (void)state;
    assert_int_equal(gn_fcs(ack, sizeof ack), 0x79e4);
    assert_int_equal(gn_oqpsk_spc(4e6), 2);
    assert_int_equal(gn_oqpsk_spc(5e6), 0);
}

static float *load(const char *name, size_t *n)
{
    char path[4300];
    const char *data = gn_test_data();
    (void)snprintf(path, sizeof path, "%s/oqpsk/%s", data != NULL ? data : "", name);
    FILE *f = data != NULL ? fopen(path, "rb") : NULL;
    if (f == NULL)
        return NULL;
    float *iq = calloc(SAMPLES_MAX, 2 * sizeof *iq);
    assert_non_null(iq);
    *n = fread(iq, 2 * sizeof *iq, SAMPLES_MAX, f);
    (void)fclose(f);
    return iq;
}

static json_t *load_json(const char *name)
{
    char path[4300];
    const char *data = gn_test_data();
    (void)snprintf(path, sizeof path, "%s/oqpsk/%s", data != NULL ? data : "", name);
    json_t *j = data != NULL ? json_load_file(path, 0, NULL) : NULL;
    if (j == NULL)
        print_message("not run: no %s\n", name);
    return j;
}

/* All frames of iq[n], pushed `cut` samples at a time; returns how many were found. */
static size_t receive(double rate_sps, const float *iq, size_t n, size_t cut, struct gn_oqpsk_frame *frames, size_t n_max)
{
    struct gn_oqpsk_rx *rx = NULL;
    size_t n_found = 0;
    static const float zeros[1024][2];
    assert_int_equal(gn_oqpsk_rx_new(rate_sps, &rx, NULL), GN_OK);
    size_t tail = gn_oqpsk_rx_tail(rx);
    for (size_t i = 0; i < n + tail;) {
        size_t left = i < n ? n - i : n + tail - i, most = i < n ? cut : 1024;
        i += gn_oqpsk_rx_push(rx, i < n ? iq + 2 * i : zeros[0], left < most ? left : most);
        while (n_found < n_max && gn_oqpsk_rx_next(rx, false, &frames[n_found]))
            n_found++;
    }
    gn_oqpsk_rx_free(rx);
    return n_found;
}

static void check_file(json_t *file, json_t *want, size_t cut)
{
    static struct gn_oqpsk_frame got[64];
    size_t n = 0;
    const char *name = json_string_value(json_object_get(file, "file"));
    float *iq = load(name, &n);
    GN_CHECK(name, iq != NULL);
    size_t n_got = receive(json_number_value(json_object_get(file, "fs")), iq, n, cut, got, 64);
    GN_CHECK(name, n_got == json_array_size(want));
    for (size_t i = 0; i < n_got; i++) {
        uint8_t psdu[127];
        size_t len = bytes_of(json_string_value(json_object_get(json_array_get(want, i), "psdu")), psdu);
        double start = json_number_value(json_array_get(json_object_get(file, "frame_start"), i));
        GN_CHECK(name, got[i].n == len && memcmp(got[i].psdu, psdu, len) == 0);
        GN_NEAR(name, got[i].start, start, 1);
        GN_NEAR(name, got[i].cfo_hz, json_number_value(json_object_get(file, "cfo_hz")), 400);
        json_t *snr = json_object_get(file, "snr_db_2MHz");
        if (snr != NULL && json_object_get(file, "taps") == NULL)
            GN_NEAR(name, got[i].snr_db, json_number_value(snr), 1);
    }
    free(iq);
}

static void shared_files(void **state)
{
    json_t *m = load_json("manifest.json"), *file = NULL;
    size_t i = 0;
    (void)state;
    if (m == NULL)
        return;
    json_array_foreach(json_object_get(m, "files"), i, file) {
        check_file(file, json_object_get(m, "frames"), 4000);
        check_file(file, json_object_get(m, "frames"), 777);
    }
    json_decref(m);
}

/* Ours beside GNU Radio's, sample by sample, but for the second half of the last pulse (Q): its chain cuts it off. */
static void modulator(void **state)
{
    size_t n = 0, i = 0;
    float *iq = load("gr_oqpsk_clean_4M.cf32", &n), *ours = calloc(20000, 2 * sizeof *ours);
    json_t *m = load_json("manifest.json"), *file = NULL;
    (void)state;
    if (iq == NULL || m == NULL)
        return;
    json_array_foreach(json_object_get(m, "files"), i, file)
        if (strcmp(json_string_value(json_object_get(file, "file")), "gr_oqpsk_clean_4M.cf32") == 0)
            break;
    double worst = 0;
    for (size_t k = 0; k < json_array_size(json_object_get(m, "frames")); k++) {
        uint8_t psdu[127];
        json_t *frame = json_array_get(json_object_get(m, "frames"), k);
        size_t len = bytes_of(json_string_value(json_object_get(frame, "psdu")), psdu);
        size_t at = (size_t)json_integer_value(json_array_get(json_object_get(file, "frame_start"), k));
        gn_oqpsk_modulate(psdu, len, 2, ours);
        for (size_t s = 0; s < 2 * (gn_oqpsk_samples(len, 2) - 2); s++) {
            double d = fabs((double)(ours[s] - iq[2 * at + s]));
            worst = d > worst ? d : worst;
        }
    }
    print_message("modulator against GNU Radio: worst difference %.2g\n", worst);
    assert_true(worst < 1e-6);
    json_decref(m);
    free(iq);
    free(ours);
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

static void noise(uint64_t *seed, double sigma, float iq[2])
{
    double r = sigma * sqrt(-log(uniform(seed))), a = 2 * M_PI * uniform(seed);
    iq[0] += (float)(r * cos(a));
    iq[1] += (float)(r * sin(a));
}

/* Captured frames through our modulator, 50 kHz off at 6 dB, and back: the valid ones, and no other. */
static void captured(void **state)
{
    json_t *all = load_json("killerbee_control4_frames.json"), *one = NULL;
    size_t i = 0, n_valid = 0, n_back = 0;
    uint64_t seed = 1;
    float *iq = calloc(40000, 2 * sizeof *iq), *sent = calloc(40000, 2 * sizeof *sent);
    (void)state;
    if (all == NULL || iq == NULL || sent == NULL)
        return;
    json_array_foreach(all, i, one) {
        uint8_t psdu[127];
        struct gn_oqpsk_frame got[4];
        size_t len = bytes_of(json_string_value(json_object_get(one, "psdu")), psdu), n = gn_oqpsk_samples(len, 2);
        bool is_valid = json_is_true(json_object_get(one, "fcs_ok"));
        gn_oqpsk_modulate(psdu, len, 2, sent);
        for (size_t s = 0; s < n + 1000; s++) {
            double a = 2 * M_PI * 50e3 / 4e6 * (double)s;
            float re = s >= 500 && s < n + 500 ? sent[2 * (s - 500)] : 0, im = s >= 500 && s < n + 500 ? sent[2 * (s - 500) + 1] : 0;
            iq[2 * s] = re * (float)cos(a) - im * (float)sin(a);
            iq[2 * s + 1] = re * (float)sin(a) + im * (float)cos(a);
            noise(&seed, sqrt(2 * 0.25), iq + 2 * s); /* 6 dB in 2 MHz at 4 Msps */
        }
        size_t n_got = receive(4e6, iq, n + 1000, 4000, got, 4);
        n_valid += is_valid;
        GN_CHECK("valid alone", n_got == (is_valid ? 1U : 0U));
        n_back += n_got == 1 && got[0].n == len && memcmp(got[0].psdu, psdu, len) == 0;
    }
    print_message("captured frames: %zu of %zu valid ones came back\n", n_back, n_valid);
    assert_int_equal(n_valid, 377);
    assert_int_equal(n_back, 377);
    json_decref(all);
    free(iq);
    free(sent);
}

static double symbol_errors(double es_n0_db, uint64_t *seed)
{
    enum { BYTES = 100, FRAMES = 100, SPC = 2 };
    struct gn_oqpsk_rx *rx = NULL;
    float *iq = calloc(20000, 2 * sizeof *iq);
    size_t n_wrong = 0;
    double sigma = sqrt(32.0 * SPC / pow(10, es_n0_db / 10));
    assert_int_equal(gn_oqpsk_rx_new(SPC * 2e6, &rx, NULL), GN_OK);
    for (int f = 0; f < FRAMES; f++) {
        uint8_t psdu[BYTES], got[2 * BYTES];
        for (int i = 0; i < BYTES; i++)
            psdu[i] = (uint8_t)(256 * uniform(seed));
        memset(iq, 0, 20000 * 2 * sizeof *iq);
        gn_oqpsk_modulate(psdu, BYTES, SPC, iq + 2 * 100);
        for (size_t s = 0; s < 20000; s++)
            noise(seed, sigma, iq + 2 * s);
        gn_oqpsk_symbols(rx, iq, 100 + 12.0 * 32 * SPC, 0, (size_t)2 * BYTES, got);
        for (int i = 0; i < 2 * BYTES; i++)
            n_wrong += got[i] != (psdu[i / 2] >> (i % 2 * 4) & 15);
    }
    gn_oqpsk_rx_free(rx);
    free(iq);
    return (double)n_wrong / (2.0 * BYTES * FRAMES);
}

/* Rates of a correlator that knows time and frequency (measured, 0.4 dB from orthogonal theory). */
static void symbol_error_rate(void **state)
{
    static const double known[] = {0.363, 0.262, 0.170, 0.097, 0.044}; /* Es/N0 6, 7, 8, 9, 10 dB */
    uint64_t seed = 7;
    (void)state;
    for (size_t i = 0; i < GN_COUNT(known); i++) {
        double rate = symbol_errors(6.0 + (double)i, &seed);
        double before = i > 0 ? known[i - 1] : 0.47, bound = known[i] * pow(before / known[i], 0.3);
        print_message("Es/N0 %zu dB: symbol error rate %.4f, known %.3f, 0.3 dB worse %.4f\n", 6 + i, rate, known[i], bound);
        assert_true(rate < bound);
    }
}

/* Noise alone and a carrier alone give nothing; a frame inside a payload is payload. */
static void nothing_there(void **state)
{
    static struct gn_oqpsk_frame got[8];
    uint64_t seed = 3;
    float *iq = calloc(SAMPLES_MAX, 2 * sizeof *iq);
    (void)state;
    for (size_t s = 0; s < SAMPLES_MAX; s++)
        noise(&seed, 1, iq + 2 * s);
    assert_int_equal(receive(4e6, iq, SAMPLES_MAX, 4000, got, 8), 0);
    for (size_t s = 0; s < 40000; s++)
        iq[2 * s] = 1, iq[2 * s + 1] = 0;
    assert_int_equal(receive(4e6, iq, 40000, 4000, got, 8), 0);
    uint8_t outer[64] = {1, 2, 3, 4, 0, 0, 0, 0, 0xa7, 5, 0x02, 0x00, 0x6a, 0xe4, 0x79};
    uint16_t sum = gn_fcs(outer, 62);
    outer[62] = (uint8_t)sum;
    outer[63] = (uint8_t)(sum >> 8);
    memset(iq, 0, SAMPLES_MAX * sizeof *iq);
    gn_oqpsk_modulate(outer, 64, 2, iq);
    assert_int_equal(receive(4e6, iq, 20000, 4000, got, 8), 1);
    assert_int_equal(got[0].n, 64);
    memmove(iq + 2 * 2000, iq, 2 * 20000 * sizeof *iq);
    memset(iq, 0, 2 * 2000 * sizeof *iq);
    iq[2 * 500] = NAN; /* samples from outside may be anything; what follows is heard */
    iq[2 * 700] = INFINITY;
    assert_int_equal(receive(4e6, iq, 22000, 4000, got, 8), 1);
    free(iq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chips), cmocka_unit_test(fcs), cmocka_unit_test(shared_files),
            cmocka_unit_test(modulator), cmocka_unit_test(captured), cmocka_unit_test(symbol_error_rate),
            cmocka_unit_test(nothing_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
