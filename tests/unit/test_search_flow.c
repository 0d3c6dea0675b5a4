/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* flowgraphs/search.yaml on every recording of data/iq against truth.json, through the program
 * itself. ctest: slow */
#include "tests/support/gn_test.h"

#include "gnomon/status.h"
#include "lib/gnss/signal.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HITS_MAX    128
#define INVENT_DBHZ 38.0 /* truth.json: nothing unlisted above this */

struct hit {
    char signal[16];
    long long prn;
    double doppler_hz, code_ms, cn0_dbhz;
};

/* epoch_s: moment to which the file's code delays belong. A code drifts by Doppler / 1575.42 MHz,
 * up to 2 us a second: the differences to our delays at the first sample are proportional to the
 * Doppler, and vanish for all satellites at once at 0.2 s of the 0.5 s recording and at 0.05 s of
 * the 0.1 s one, the middle of what was searched there. C/N0 of E1 in the 0.5 s recording, summed
 * there without following the code, is 3 dB low. That file lists one Galileo satellite; B and C of
 * six more agree with each other in every window. */
static const struct row {
    const char *file, *args;
    double epoch_s;
    bool is_galileo_complete, has_places;
} rows[] = {
        {"gsoc-l1-4000k-cf32.bin", "-p format=cf32_le -p rate=4e6 -p if=0 -p spectrum=normal", 0,
                true, true},
        {"ifen-sx3-l1-20000k-if5000k-2bit.bin",
                "-p format=packed -p bits=2 -p layout=real -p bit_order=lsb -p map=[1,3,-3,-1] -p "
                "rate=20e6 "
                "-p if=5000445.88566 -p spectrum=normal",
                0, false, true},
        {"flight-l1-20480k-if5500k-2bit.bin",
                "-p format=packed -p bits=2 -p layout=real -p bit_order=lsb -p map=[1,3,-3,-1] -p "
                "rate=20.48e6 "
                "-p if=5499998.47412109 -p spectrum=normal",
                0, true, true},
        {"pocketsdr-l1-12000k-if3000k-s8.bin",
                "-p format=s8 -p rate=12e6 -p if=3e6 -p spectrum=normal", 0.05, true, true},
        {"pocketsdr-l1-4000k-ci8.bin", "-p format=ci8 -p rate=4e6 -p if=0 -p spectrum=inverted",
                0.2, false, true},
        {"sky-gps-gal-4000k-1bit.bin",
                "-p format=packed -p bits=1 -p rate=4e6 -p if=0 -p spectrum=normal -p length=0.2",
                0, true, false},
};

static int run_search(const struct row *row, struct hit *hits)
{
    char cmd[16384], line[4096];
    int n = 0;

    (void)snprintf(cmd, sizeof cmd,
            "%s/gnomon run -q %s/flowgraphs/search.yaml -p file=%s/iq/%s %s -p ionosphere=off "
            "--jsonl -",
            GN_BINARY_DIR, GN_SOURCE_DIR, gn_test_data(), row->file, row->args);
    FILE *f = popen(cmd, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        json_t *o = json_loads(line, 0, NULL);
        const char *signal = NULL;
        double chips = 0;
        if (o != NULL && n < HITS_MAX && strstr(line, "\"acq.hit\"") != NULL) {
            assert_int_equal(json_unpack(o, "{s:s,s:I,s:F,s:F,s:F}", "signal", &signal, "prn",
                                     &hits[n].prn, "doppler_hz", &hits[n].doppler_hz,
                                     "code_phase_chips", &chips, "cn0_dbhz", &hits[n].cn0_dbhz),
                    0);
            assert_int_equal(json_integer_value(json_object_get(o, "index")), 0);
            (void)snprintf(hits[n].signal, sizeof hits[n].signal, "%s", signal);
            hits[n++].code_ms = chips / 1023;
        }
        json_decref(o);
    }
    assert_int_equal(pclose(f), 0);
    return n;
}

static const struct hit *find(const struct hit *hits, int n, const char *signal, long long prn)
{
    for (int i = 0; i < n; i++)
        if (hits[i].prn == prn && strcmp(hits[i].signal, signal) == 0)
            return &hits[i];
    return NULL;
}

static const struct {
    const char *key, *signal;
    bool is_due; /* must be found */
} lists[] = {{"GPS_L1CA", "GPS_L1CA", true}, {"weak", "GPS_L1CA", true}, {"gps", "GPS_L1CA", true},
        {"gps_low", "GPS_L1CA", false}, {"galileo", "GAL_E1", true}, {"GAL_E1B", "GAL_E1", true},
        {"GAL_E1C", "GAL_E1", true}, {"more_galileo", "GAL_E1", false}};

static long long prn_of(const json_t *entry)
{
    return json_integer_value(json_is_integer(entry) ? entry : json_object_get(entry, "prn"));
}

static void compare(
        const struct row *row, const struct hit *hit, const json_t *entry, double rate_sps)
{
    char where[8192];
    double period_ms = strcmp(hit->signal, "GAL_E1") == 0 ? 4 : 1;
    double drift_ms = hit->doppler_hz / GN_F_L1_HZ * row->epoch_s * 1e3;
    double want_ms = json_number_value(json_object_get(entry, "code_ms"));

    (void)snprintf(where, sizeof where, "%s %s %lld", row->file, hit->signal, hit->prn);
    GN_NEAR(where, hit->doppler_hz, json_number_value(json_object_get(entry, "doppler_hz")), 150);
    GN_NEAR(where, remainder(hit->code_ms - drift_ms - want_ms, period_ms), 0, 1.5e3 / rate_sps);
    if (period_ms < 4 || row->epoch_s <= 0)
        GN_NEAR(where, hit->cn0_dbhz, json_number_value(json_object_get(entry, "cn0_dbhz")), 2.0);
}

static bool is_listed(const json_t *truth, const struct hit *hit)
{
    for (size_t l = 0; l < GN_COUNT(lists); l++) {
        const json_t *list = json_object_get(truth, lists[l].key);
        for (size_t i = 0; strcmp(lists[l].signal, hit->signal) == 0 && i < json_array_size(list);
                i++)
            if (prn_of(json_array_get(list, i)) == hit->prn)
                return true;
    }
    return false;
}

static void check_row(const struct row *row, const json_t *truth)
{
    struct hit hits[HITS_MAX];
    int n = run_search(row, hits);
    double rate_sps = json_number_value(json_object_get(truth, "rate_sps"));
    char where[8192];

    for (size_t l = 0; l < GN_COUNT(lists); l++) {
        const json_t *list = json_object_get(truth, lists[l].key);
        for (size_t i = 0; lists[l].is_due && i < json_array_size(list); i++) {
            const json_t *entry = json_array_get(list, i);
            const struct hit *hit = find(hits, n, lists[l].signal, prn_of(entry));
            (void)snprintf(
                    where, sizeof where, "%s %s %lld", row->file, lists[l].signal, prn_of(entry));
            GN_CHECK(where, hit != NULL);
            if (row->has_places && json_is_object(entry))
                compare(row, hit, entry, rate_sps);
        }
    }
    for (int i = 0; i < n; i++) {
        bool may_be = !row->is_galileo_complete && strcmp(hits[i].signal, "GAL_E1") == 0;
        (void)snprintf(
                where, sizeof where, "%s invented %s %lld", row->file, hits[i].signal, hits[i].prn);
        GN_CHECK(where, hits[i].cn0_dbhz <= INVENT_DBHZ || may_be || is_listed(truth, &hits[i]));
    }
    printf("%s: %d signals\n", row->file, n);
}

static void test_recordings(void **state)
{
    char path[4200];

    (void)state;
    if (gn_test_data() == NULL) {
        printf("not run: no recordings (GNOMON_DATA)\n");
        skip();
    }
    (void)snprintf(path, sizeof path, "%s/iq/truth.json", gn_test_data());
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    for (size_t r = 0; r < GN_COUNT(rows); r++) {
        json_t *files = json_object_get(root, "files");
        for (size_t i = 0; i < json_array_size(files); i++) {
            const json_t *truth = json_array_get(files, i);
            if (strcmp(json_string_value(json_object_get(truth, "file")), rows[r].file) == 0)
                check_row(&rows[r], truth);
        }
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recordings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
