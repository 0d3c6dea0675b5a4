/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* MAC frames captured off air are taken apart and put together again; pieces and captures; two nodes on the air. */
#include "lib/modem/mac.h"
#include "lib/modem/oqpsk.h"
#include "lib/modem/pcap.h"
#include "tests/support/gn_test.h"

#include <jansson.h>
#include <string.h>

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

static void known_frame(void **state)
{
    uint8_t psdu[127], again[127];
    struct gn_mac_frame f;
    (void)state;
    size_t n = bytes_of("6388815933c018e4b70430b6", psdu); /* off air: short addresses, one PAN, acknowledgement wanted */
    assert_int_equal(gn_mac_parse(psdu, n, &f, NULL), GN_OK);
    assert_true(f.type == GN_MAC_COMMAND && f.seq == 0x81 && f.wants_ack && f.is_one_pan && f.dst_pan == 0x3359);
    assert_true(f.dst == 0x18c0 && f.src == 0xb7e4 && f.n_payload == 1 && f.payload[0] == 4);
    assert_int_equal(gn_mac_build(&f, again), n);
    assert_memory_equal(again, psdu, n);
    psdu[4] ^= 1;
    assert_int_equal(gn_mac_parse(psdu, n, &f, NULL), GN_E_DATA);
}

static void captured(void **state)
{
    char path[4300];
    const char *data = gn_test_data();
    size_t i = 0, n_parsed = 0, n_valid = 0;
    json_t *one = NULL;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/oqpsk/killerbee_control4_frames.json", data != NULL ? data : "");
    json_t *all = data != NULL ? json_load_file(path, 0, NULL) : NULL;
    if (all == NULL) {
        print_message("not run: no captured frames\n");
        return;
    }
    json_array_foreach(all, i, one) {
        uint8_t psdu[127], again[127];
        struct gn_mac_frame f;
        size_t n = bytes_of(json_string_value(json_object_get(one, "psdu")), psdu);
        bool is_valid = json_is_true(json_object_get(one, "fcs_ok"));
        bool is_parsed = gn_mac_parse(psdu, n, &f, NULL) == GN_OK;
        n_valid += is_valid;
        n_parsed += is_parsed;
        GN_CHECK("a damaged frame", is_valid || !is_parsed);
        if (is_parsed && !f.is_secured)
            GN_CHECK("the same again", gn_mac_build(&f, again) == n && memcmp(again, psdu, n) == 0);
    }
    print_message("captured frames: %zu valid, %zu taken apart\n", n_valid, n_parsed);
    assert_int_equal(n_parsed, n_valid);
    json_decref(all);
}

static void pieces(void **state)
{
    uint8_t bytes[16] = {0};
    struct gn_mac_piece p = {.size = 600, .tag = 0x1234, .offset = 104}, got;
    bool is_broken = false;
    (void)state;
    assert_int_equal(gn_mac_piece_header(&p, bytes), 5);
    assert_true(bytes[0] == (0xe0 | 2) && bytes[1] == 88 && bytes[4] == 13);
    assert_true(gn_mac_piece_parse(bytes, sizeof bytes, &got, &is_broken));
    assert_true(got.size == 600 && got.tag == 0x1234 && got.offset == 104 && got.n == 11);
    assert_false(gn_mac_piece_parse(bytes, 5, &got, &is_broken));
    assert_true(is_broken);
    bytes[4] = 80; /* past the end of the packet */
    assert_false(gn_mac_piece_parse(bytes, sizeof bytes, &got, &is_broken));
}

static void captures(void **state)
{
    uint8_t file[GN_PCAP_HEAD + GN_PCAP_RECORD + 5] = {0};
    struct gn_pcap p;
    struct gn_pcap_frame f;
    struct gn_error err = {0};
    bool is_end = true;
    (void)state;
    gn_pcap_head(file);
    gn_pcap_record(1700000000, 123456, 5, file + GN_PCAP_HEAD);
    memcpy(file + GN_PCAP_HEAD + GN_PCAP_RECORD, "\x02\x00\x6a\xe4\x79", 5);
    assert_int_equal(gn_pcap_open(file, sizeof file, &p, &err), GN_OK);
    assert_int_equal(gn_pcap_next(&p, &f, &is_end, &err), GN_OK);
    assert_true(!is_end && f.n == 5 && f.t_unix_s == 1700000000 && f.t_ns == 123456000 && gn_fcs(f.psdu, f.n) == 0);
    assert_int_equal(gn_pcap_next(&p, &f, &is_end, &err), GN_OK);
    assert_true(is_end);
    assert_int_equal(gn_pcap_open(file, sizeof file - 1, &p, &err), GN_OK);
    assert_int_equal(gn_pcap_next(&p, &f, &is_end, &err), GN_E_DATA);
    file[20] = 1; /* Ethernet */
    assert_int_equal(gn_pcap_open(file, sizeof file, &p, &err), GN_E_DATA);
}

/* lines of the log with this text */
static unsigned count(const char *path, const char *text)
{
    static char line[8192];
    unsigned n = 0;
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        n += strstr(line, text) != NULL;
    if (f != NULL)
        (void)fclose(f);
    return n;
}

static void run_echo(const char *options, const char *log)
{
    char command[2048];
    (void)snprintf(command, sizeof command, GN_BINARY_DIR "/gnomon run " GN_SOURCE_DIR
            "/flowgraphs/oqpsk-echo.yaml -p samples=1200000 %s --jsonl %s 2>/dev/null", options, log);
    assert_int_equal(system(command), 0);
}

/* 0.3 s: 14 packets there and back, each acknowledged, but for what the end cuts off; the same every time. */
static void air(void **state)
{
    const char *log = GN_BINARY_DIR "/tests/air.jsonl", *again = GN_BINARY_DIR "/tests/air2.jsonl";
    (void)state;
    run_echo("-p snr_db=0 -p cfo_hz=-196e3", log);
    assert_true(count(log, "\"state\":\"sent\"") >= 26);
    assert_int_equal(count(log, "\"state\":\"no_ack\""), 0);
    run_echo("-p snr_db=10 -p bytes=137", log); /* two pieces */
    assert_true(count(log, "\"state\":\"sent\"") >= 26);
    run_echo("-p collisions=0.5 -p seed=5", log);
    run_echo("-p collisions=0.5 -p seed=5", again);
    assert_true(count(log, "\"event\":\"frame.sent\"") > 56); /* some were sent again */
    assert_int_equal(count(log, "frame"), count(again, "frame"));
    assert_true(count(log, "\"state\":\"sent\"") >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_frame), cmocka_unit_test(captured), cmocka_unit_test(pieces),
            cmocka_unit_test(captures), cmocka_unit_test(air)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
