/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The kept state: what is written reads back; anything else is refused in words; a file that reads well but lies makes
 * the start colder, never warmer; a process killed while writing leaves the old file or the new one. */
#include "lib/base/replace.h"
#include "lib/osnma/crypto.h"
#include "lib/osnma/state.h"
#include "tests/support/gn_test.h"
#include "tests/support/pages.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct gn_osnma_anchor anchor; /* of the live recording: Merkle root and PKID 2 */
static struct gn_osnma_state kept;
static uint8_t bytes[GN_OSNMA_STATE_FILE_MAX];
static size_t n_bytes;

struct heard {
    int64_t first_sf; /* of an authentic tag */
    unsigned n;       /* authentic key */
};

static void on_key(void *arg, enum gn_osnma_key_event kind, const struct gn_msg_osnma_key *m)
{
    struct heard *h = arg;
    if (kind == GN_OSNMA_EV_KEY && m->verdict == GN_AUTHENTIC && h->n++ == 0)
        h->first_sf = gn_osnma_sf(m->wn, m->tow);
}

/* feed rows from..to; the state as it is then */
static struct heard run(const char *file, const struct gn_osnma_config *config, size_t from, size_t to,
        struct gn_osnma_state *ret)
{
    struct gn_osnma *o = NULL;
    struct heard heard = {0};
    struct gn_osnma_sink sink = {.arg = &heard, .key = on_key};
    struct gn_test_page row;
    gzFile f = gn_test_pages_open(gn_test_data(), file);
    assert_non_null(f);
    assert_int_equal(gn_osnma_new(config, &o), GN_OK);
    for (size_t i = 0; i < to && gn_test_page_next(f, &row); i++) {
        struct gn_osnma_page p = {.wn = row.wn, .tow_s = (uint32_t)row.tow, .prn = (uint8_t)row.prn, .is_e5b = row.sig == 5};
        memcpy(p.bits, row.bits, sizeof p.bits);
        if (i >= from)
            gn_osnma_feed(o, &p, &sink);
        if (ret != NULL)
            (void)gn_osnma_state_take(o, ret);
    }
    (void)gzclose(f);
    gn_osnma_free(o);
    return heard;
}

static void load_anchor(const char *name, struct gn_osnma_anchor *ret)
{
    char path[4200];
    (void)snprintf(path, sizeof path, "%s/osnma/keys.json#%s", gn_test_data(), name);
    assert_int_equal(gn_osnma_keys_load(path, true, ret, NULL), GN_OK);
    ret->has_kroot = 0;
}

static void reseal(uint8_t *p, size_t n)
{
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    assert_true(c != NULL && gn_osnma_hash(c, GN_OSNMA_SHA256, p, n - 32, p + n - 32));
    gn_osnma_crypto_free(c);
}

static int set_up(void **state)
{
    (void)state;
    if (gn_test_data() == NULL)
        return 0;
    load_anchor("live_current_config", &anchor);
    struct gn_osnma_config config = {.anchor = anchor};
    (void)run("quick_6min_e1.csv", &config, 0, SIZE_MAX, &kept);
    n_bytes = gn_osnma_state_write(&kept, bytes, sizeof bytes);
    return 0;
}

#define NEEDS_DATA()                                                                               \
    do {                                                                                           \
        if (gn_test_data() == NULL) {                                                              \
            print_message("not run: no shared data\n");                                            \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

static enum gn_osnma_start start_with(const struct gn_osnma_state *s, const struct gn_osnma_anchor *a, char why[96])
{
    struct gn_osnma_config config = {.anchor = *a};
    bool is_alert = true;
    enum gn_osnma_start ret = gn_osnma_state_apply(s, &config, &is_alert, why);
    assert_false(is_alert);
    return ret;
}

static void test_hot(void **state)
{
    struct gn_osnma_state back;
    struct gn_osnma_config config = {.anchor = anchor};
    char why[96];
    bool is_alert = false;
    (void)state;
    NEEDS_DATA();
    assert_true(n_bytes > 100 && kept.has_kroot && kept.has_key);
    assert_int_equal(gn_osnma_state_read(bytes, n_bytes, &back, NULL), GN_OK);
    assert_memory_equal(&back.key, &kept.key, sizeof kept.key);
    assert_int_equal(start_with(&back, &anchor, why), GN_OSNMA_START_HOT);
    assert_string_equal(why, "");
    /* a chain key at once where a start without it waits for the root key */
    struct heard warm = run("quick_6min_e1.csv", &config, 900, 1100, NULL);
    assert_int_equal(gn_osnma_state_apply(&back, &config, &is_alert, NULL), GN_OSNMA_START_HOT);
    assert_true(config.has_start_key);
    struct heard hot = run("quick_6min_e1.csv", &config, 900, 1100, NULL);
    print_message("chain keys in the same 200 pages: warm %u, hot %u\n", warm.n, hot.n);
    assert_true(hot.n > warm.n);
}

static void test_every_bit(void **state)
{
    (void)state;
    NEEDS_DATA();
    for (size_t bit = 0; bit < 8 * n_bytes; bit++) {
        struct gn_osnma_state back = {.n_pkrs = 77};
        struct gn_error err = {0};
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        GN_CHECK("flip", gn_osnma_state_read(bytes, n_bytes, &back, &err) == GN_E_DATA && err.text[0] != '\0');
        GN_CHECK("untouched", back.n_pkrs == 77);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t n = 0; n < n_bytes; n++) {
        struct gn_osnma_state back;
        GN_CHECK("cut off", gn_osnma_state_read(bytes, n, &back, NULL) == GN_E_DATA);
    }
}

static void test_versions(void **state)
{
    struct gn_osnma_state back;
    struct gn_error err = {0};
    (void)state;
    NEEDS_DATA();
    for (unsigned version = 0; version < 4; version++) {
        uint8_t other[GN_OSNMA_STATE_FILE_MAX];
        memcpy(other, bytes, n_bytes);
        other[8] = (uint8_t)version;
        reseal(other, n_bytes);
        bool ok = gn_osnma_state_read(other, n_bytes, &back, &err) == GN_OK;
        GN_CHECK("version", ok == (version == GN_OSNMA_STATE_VERSION));
        GN_CHECK("words", ok || strstr(err.text, "version") != NULL);
    }
}

/* each byte of the records changed and the checksum made to fit: never warmer than without the file */
static void test_lies(void **state)
{
    (void)state;
    NEEDS_DATA();
    unsigned n_hot = 0;
    for (size_t i = 16; i < n_bytes - 32; i++) {
        uint8_t other[GN_OSNMA_STATE_FILE_MAX];
        struct gn_osnma_state back;
        char why[96];
        memcpy(other, bytes, n_bytes);
        other[i] ^= 0x40;
        reseal(other, n_bytes);
        if (gn_osnma_state_read(other, n_bytes, &back, NULL) != GN_OK)
            continue;
        struct gn_osnma_config config = {.anchor = anchor};
        bool is_alert = false;
        enum gn_osnma_start start = gn_osnma_state_apply(&back, &config, &is_alert, why);
        bool is_root_same = memcmp(back.kroot, kept.kroot, 29) == 0; /* all that is signed */
        GN_CHECK("hot on a lie", start != GN_OSNMA_START_HOT || is_root_same);
        GN_CHECK("key on a lie", !config.has_start_key || (back.key.sf == kept.key.sf && is_root_same &&
                        memcmp(back.key.bytes, kept.key.bytes, 16) == 0));
        n_hot += start == GN_OSNMA_START_HOT;
    }
    print_message("%u of %zu lies still leave the true root key\n", n_hot, n_bytes - 48);
}

static void test_other_roots(void **state)
{
    struct gn_osnma_anchor other, root_only = {.has_root = 1};
    char why[96];
    (void)state;
    NEEDS_DATA();
    load_anchor("icd_configuration_2", &other); /* another PKID 2 */
    assert_int_equal(start_with(&kept, &other, why), GN_OSNMA_START_WARM);
    assert_non_null(strstr(why, "no public key of yours"));
    memcpy(root_only.root, anchor.root, sizeof anchor.root);
    assert_int_equal(start_with(&kept, &root_only, why), GN_OSNMA_START_COLD);
    assert_int_equal(start_with(&kept, &(struct gn_osnma_anchor){0}, why), GN_OSNMA_START_NONE);
    struct gn_osnma_state revoked = kept;
    revoked.n_revoked = 1;
    revoked.revoked[0] = (struct gn_tesla_chain){.cid = (uint8_t)(kept.nma_header >> 4 & 3)};
    memcpy(revoked.revoked[0].alpha, kept.kroot + 7, 6);
    assert_int_equal(start_with(&revoked, &anchor, why), GN_OSNMA_START_WARM);
    assert_non_null(strstr(why, "revoked"));
}

/* a public key from the air is kept, and vouched for again by the root alone; an alert stays an alert */
static void test_public_key(void **state)
{
    struct gn_osnma_state s = {0};
    struct gn_osnma_anchor root_only = {.has_root = 1};
    char why[96];
    (void)state;
    NEEDS_DATA();
    load_anchor("icd_configuration_2", &root_only);
    memset(root_only.pubkeys, 0, sizeof root_only.pubkeys);
    struct gn_osnma_config config = {.anchor = root_only};
    (void)run("icd_configuration_2.csv.gz", &config, 0, 12000, &s);
    assert_true(s.n_pkrs >= 1 && s.has_kroot);
    assert_int_equal(start_with(&s, &root_only, why), GN_OSNMA_START_HOT);
    uint8_t out[GN_OSNMA_STATE_FILE_MAX];
    assert_true(gn_osnma_state_write(&s, out, sizeof out) > 0);
    s = (struct gn_osnma_state){0};
    load_anchor("icd_oam_step1", &config.anchor);
    (void)run("icd_oam_step1.csv.gz", &config, 0, SIZE_MAX, &s);
    bool is_alert = false;
    (void)gn_osnma_state_apply(&s, &config, &is_alert, why);
    assert_true(is_alert);
}

/* ---- on the disk ------------------------------------------------------------------------------------------------------- */
static void fill(uint8_t *p, size_t n, uint8_t v)
{
    memset(p, v, n);
}

static void test_killed_while_writing(void **state)
{
    char dir[] = "/tmp/gnomon_state_XXXXXX", path[64];
    static uint8_t text[200000], back[200001];
    (void)state;
    assert_non_null(mkdtemp(dir));
    (void)snprintf(path, sizeof path, "%s/state", dir);
    fill(text, sizeof text, 0);
    assert_int_equal(gn_file_replace(path, text, sizeof text, NULL), GN_OK);
    for (unsigned i = 0; i < 60; i++) {
        pid_t child = fork();
        if (child == 0)
            for (uint8_t v = 1;; v++) {
                fill(text, sizeof text, v);
                if (gn_file_replace(path, text, sizeof text, NULL) != GN_OK)
                    _exit(1);
            }
        (void)usleep(500 + i * 97);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        assert_int_equal(fread(back, 1, sizeof back, f), sizeof text);
        assert_int_equal(fclose(f), 0);
        for (size_t k = 1; k < sizeof text; k++)
            GN_CHECK("whole", back[k] == back[0]);
    }
    char fresh[72];
    (void)snprintf(fresh, sizeof fresh, "%s.new", path);
    (void)unlink(fresh);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(dir), 0);
}

/* every way in which writing can fail: the old file stays, no half of a new one is left */
static void test_cannot_write(void **state)
{
    char dir[] = "/tmp/gnomon_state_XXXXXX", path[64], fresh[72];
    struct gn_error err = {0};
    (void)state;
    assert_non_null(mkdtemp(dir));
    (void)snprintf(path, sizeof path, "%s/state", dir);
    (void)snprintf(fresh, sizeof fresh, "%s.new", path);
    assert_int_equal(gn_file_replace(path, "old", 3, &err), GN_OK);
    pid_t child = fork();
    if (child == 0) { /* the disk is full after so many bytes */
        static uint8_t big[100000];
        struct rlimit limit = {.rlim_cur = 5000, .rlim_max = 5000};
        (void)signal(SIGXFSZ, SIG_IGN);
        int bad = setrlimit(RLIMIT_FSIZE, &limit) != 0 || gn_file_replace(path, big, sizeof big, &err) != GN_E_OUTPUT ||
                  strstr(err.text, "cannot be written") == NULL || access(fresh, F_OK) == 0;
        _exit(bad);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(gn_file_replace("/nonexistent/x", "y", 1, &err), GN_E_OUTPUT);
    assert_int_equal(gn_file_replace(dir, "y", 1, &err), GN_E_OUTPUT); /* a folder is in the way */
    char back[8] = "";
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(back, 1, sizeof back, f), 3);
    assert_int_equal(fclose(f), 0);
    assert_string_equal(back, "old");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hot), cmocka_unit_test(test_every_bit),
            cmocka_unit_test(test_versions), cmocka_unit_test(test_lies), cmocka_unit_test(test_other_roots),
            cmocka_unit_test(test_public_key), cmocka_unit_test(test_killed_while_writing),
            cmocka_unit_test(test_cannot_write)};
    return cmocka_run_group_tests_name("osnma_state", tests, set_up, NULL);
}
