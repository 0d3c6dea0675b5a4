/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What a scenario demands: the part x-lab of its flowgraph. */
#include "cli/lab.h"
#include "core/graph/yaml.h"
#include "core/text/suggest.h"
#include "lib/geo/geo.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEG (3.14159265358979323846 / 180)

/* ---- the folder --------------------------------------------------------------------------------
 */

static bool is_folder(const char *path)
{
    DIR *d = opendir(path);
    if (d != NULL)
        (void)closedir(d);
    return d != NULL;
}

int lab_folder(const struct cli_args *args, char ret[LAB_PATH_MAX])
{
    static const char *const places[] = {"../../flowgraphs/lab", "../share/gnomon/flowgraphs/lab"};
    const char *said = cli_value(args, "scenarios");
    char program[LAB_PATH_MAX - 64];
    if (said != NULL) {
        (void)snprintf(ret, LAB_PATH_MAX, "%s", said);
        return is_folder(ret) ? CLI_OK : cli_fail(CLI_USAGE, "%s: no such folder", said);
    }
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(program, '/');
    for (size_t i = 0; slash != NULL && i < GN_COUNT(places); i++) {
        (void)snprintf(ret, LAB_PATH_MAX, "%.*s/%s", (int)(slash - program), program, places[i]);
        if (is_folder(ret))
            return CLI_OK;
    }
    (void)snprintf(ret, LAB_PATH_MAX, "flowgraphs/lab");
    return is_folder(ret)
                   ? CLI_OK
                   : cli_fail(CLI_USAGE, "the scenarios were not found: say --scenarios DIR");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Scenarios are all NAME.yaml but those that begin with "to-" or are the receiver. */
static bool name_of(const char *file, char ret[64])
{
    size_t n = strlen(file);
    if (n < 6 || n > 63 + 5 || strcmp(file + n - 5, ".yaml") != 0 || strncmp(file, "to-", 3) == 0)
        return false;
    memcpy(ret, file, n - 5);
    ret[n - 5] = '\0';
    return strncmp(ret, "receiver", 8) != 0;
}

uint32_t lab_names(const char *folder, char names[LAB_SCENARIOS_MAX][64])
{
    DIR *d = opendir(folder);
    uint32_t n = 0;
    for (const struct dirent *e; d != NULL && n < LAB_SCENARIOS_MAX && (e = readdir(d)) != NULL;)
        n += name_of(e->d_name, names[n]);
    if (d != NULL)
        (void)closedir(d);
    qsort(names, n, sizeof names[0], by_name);
    if (n == 0)
        (void)cli_fail(CLI_USAGE, "%s holds no scenarios", folder);
    return n;
}

/* ---- the demands -------------------------------------------------------------------------------
 */

struct reader {
    struct gn_diag *diag;
    struct lab_scenario *sc;
    double lat_deg, lon_deg, height_m;
};

static double number(struct reader *r, const struct gn_yaml *y)
{
    char *end;
    errno = 0;
    double v = strtod(y->text, &end);
    if (y->kind == GN_YAML_SCALAR && end != y->text && *end == '\0' && isfinite(v))
        return v;
    gn_diag_error(r->diag, GN_E_PARSE, &y->mark, "a number is expected");
    return NAN;
}

static unsigned word(
        struct reader *r, const struct gn_yaml *y, const char *const *words, unsigned n)
{
    struct gn_suggest s = {.word = y->text};
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(words[i], y->text) == 0)
            return i;
        gn_suggest_offer(&s, words[i]);
    }
    gn_diag_error(r->diag, GN_E_PARSE, &y->mark, "'%s' is none of the words known here", y->text);
    gn_diag_suggest(r->diag, s.best);
    return 0;
}

static void read_title(struct reader *r, const struct gn_yaml *y)
{
    (void)snprintf(r->sc->title, sizeof r->sc->title, "%s", y->text);
}

static void read_must(struct reader *r, const struct gn_yaml *y)
{
    (void)snprintf(r->sc->must, sizeof r->sc->must, "%s", y->text);
}

static void read_attack(struct reader *r, const struct gn_yaml *y)
{
    const struct gn_yaml *a = y->kind == GN_YAML_LIST ? y->child : NULL;
    if (a == NULL || a->next == NULL || a->next->next != NULL) {
        gn_diag_error(r->diag, GN_E_PARSE, &y->mark, "an attack is [begin, end] in seconds");
        return;
    }
    r->sc->task.attack_s[0] = number(r, a);
    r->sc->task.attack_s[1] = number(r, a->next);
}

static void read_about(struct reader *r, const struct gn_yaml *y)
{
    r->sc->task.about = word(r, y, gn_score_class_names, GN_SCORE_CLASS_COUNT);
}

static void read_detect(struct reader *r, const struct gn_yaml *y)
{
    r->sc->task.duty = word(r, y, gn_score_duty_names, 4);
}

static void read_also(struct reader *r, const struct gn_yaml *y)
{
    for (const struct gn_yaml *c = y->kind == GN_YAML_LIST ? y->child : NULL; c != NULL;
            c = c->next)
        r->sc->task.may_also[word(r, c, gn_score_class_names, GN_SCORE_CLASS_COUNT)] = true;
}

static void read_authentic(struct reader *r, const struct gn_yaml *y)
{
    static const char *const words[] = {"possible", "forbidden"};
    r->sc->task.no_authentic = word(r, y, words, 2) == 1;
}

#define NUMBER(word_, field_)                                                                      \
    static void read_##word_(struct reader *r, const struct gn_yaml *y)                            \
    {                                                                                              \
        r->field_ = number(r, y);                                                                  \
    }
NUMBER(within, sc->task.within_s)
NUMBER(wrong, sc->task.limit_m)
NUMBER(misled, sc->task.misled_s)
NUMBER(authenticated_error, sc->task.authentic_m)
NUMBER(fix_by, sc->task.fix_by_s)
NUMBER(authenticated_by, sc->task.authentic_by_s)
NUMBER(claims_end, sc->task.claims_end_s)
NUMBER(lat, lat_deg)
NUMBER(lon, lon_deg)
NUMBER(height, height_m)

static const struct {
    const char *key;
    void (*read)(struct reader *r, const struct gn_yaml *y);
} rows[] = {
        {"title", read_title},
        {"must", read_must},
        {"attack", read_attack},
        {"about", read_about},
        {"detect", read_detect},
        {"also", read_also},
        {"within", read_within},
        {"wrong", read_wrong},
        {"misled", read_misled},
        {"authenticated_error", read_authenticated_error},
        {"authenticated", read_authentic},
        {"fix_by", read_fix_by},
        {"authenticated_by", read_authenticated_by},
        {"claims_end", read_claims_end},
        {"lat", read_lat},
        {"lon", read_lon},
        {"height", read_height},
};

static void read_entry(struct reader *r, const struct gn_yaml *y)
{
    struct gn_suggest s = {.word = y->key};
    for (size_t i = 0; i < GN_COUNT(rows); i++) {
        gn_suggest_offer(&s, rows[i].key);
        if (strcmp(rows[i].key, y->key) != 0)
            continue;
        rows[i].read(r, y);
        return;
    }
    gn_diag_error(r->diag, GN_E_PARSE, &y->key_mark, "unknown key '%s' in x-lab", y->key);
    gn_diag_suggest(r->diag, s.best);
}

static void defaults(struct lab_scenario *sc)
{
    sc->task = (struct gn_score_task){.attack_s = {NAN, NAN},
            .within_s = NAN,
            .limit_m = 50,
            .misled_s = NAN,
            .authentic_m = NAN,
            .fix_by_s = NAN,
            .authentic_by_s = NAN,
            .claims_end_s = NAN};
}

static void read_tree(struct reader *r, const struct gn_yaml *root, const char *path)
{
    const struct gn_yaml *lab = root != NULL ? gn_yaml_find(root, "x-lab") : NULL;
    struct gn_mark top = {path, 1, 1, 1};
    if (root != NULL && (lab == NULL || lab->kind != GN_YAML_MAP)) {
        gn_diag_error(r->diag, GN_E_PARSE, &top,
                "not a scenario: it does not say under x-lab what is demanded");
        return;
    }
    for (const struct gn_yaml *y = lab != NULL ? lab->child : NULL; y != NULL; y = y->next)
        read_entry(r, y);
    struct gn_geo geo = {r->lat_deg * DEG, r->lon_deg * DEG, r->height_m};
    gn_ecef_from_geo(&geo, r->sc->task.truth_ecef_m);
}

static int unknown(const char *folder, const char *name)
{
    char names[LAB_SCENARIOS_MAX][64];
    struct gn_suggest s = {.word = name};
    uint32_t n = lab_names(folder, names);
    for (uint32_t i = 0; i < n; i++)
        gn_suggest_offer(&s, names[i]);
    (void)cli_fail(CLI_USAGE, "there is no scenario '%s'", name);
    if (s.best != NULL)
        (void)fprintf(stderr, "      = did you mean '%s'?\n", s.best);
    else
        (void)fputs("      = gnomon lab list names them\n", stderr);
    return CLI_USAGE;
}

int lab_read(
        const struct cli_args *args, const char *folder, const char *name, struct lab_scenario *ret)
{
    *ret = (struct lab_scenario){.name = ""};
    defaults(ret);
    (void)snprintf(ret->name, sizeof ret->name, "%s", name);
    int n_path = snprintf(ret->path, sizeof ret->path, "%s/%s.yaml", folder, name);
    if (strchr(name, '/') != NULL || n_path < 0 || (size_t)n_path >= sizeof ret->path)
        return unknown(folder, name);
    FILE *f = fopen(ret->path, "rb");
    char *text = f != NULL ? calloc(1, GN_YAML_BYTES_MAX + 1) : NULL;
    size_t n = text != NULL ? fread(text, 1, GN_YAML_BYTES_MAX, f) : 0;
    if (f == NULL)
        return unknown(folder, name);
    (void)fclose(f);
    /* the antenna of frontend.sim, unless the scenario says otherwise */
    struct reader r = {.sc = ret,
            .lat_deg = 48.8584,
            .lon_deg = 2.2945,
            .height_m = 100,
            .diag = gn_diag_new()};
    struct gn_arena *arena = gn_arena_new();
    int code = text != NULL && r.diag != NULL && arena != NULL
                       ? CLI_OK
                       : cli_fail(CLI_INTERNAL, "out of memory");
    if (code == CLI_OK) {
        const struct gn_source *s = gn_diag_source(r.diag, ret->path, NULL, text, n);
        read_tree(&r, gn_yaml_parse(arena, r.diag, s), s->name);
        if (gn_diag_n_errors(r.diag) > 0) {
            gn_diag_print(r.diag, stderr, args->is_colour);
            code = CLI_USAGE;
        }
    }
    gn_arena_free(arena);
    gn_diag_free(r.diag);
    free(text);
    return code;
}
