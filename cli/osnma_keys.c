/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* gnomon osnma keys import FILE..., keys list: trust anchors from the service centre's files, and what is missing. */
#include "cli/osnma.h"
#include "lib/base/replace.h"
#include "lib/bits/hex.h"
#include "lib/osnma/keyfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_FILE "keys.json"

static const struct cli_option options[] = {
        {"into", "FILE[#NAME]", "import: trust anchors to add to, made when absent (default keys.json)", 0, false},
        {"pkid", "N", "import: PKID of a PEM key that does not say it", 0, false},
        {"new-tree", NULL, "import: the files belong to the next Merkle tree", 0, false},
        {"replace", NULL, "import: instead of what is there under the same name", 0, false},
        {"keys", "FILE[#NAME]", "list: the trust anchors to look at (default keys.json)", 0, false},
        {NULL, NULL, NULL, 0, false},
};

/* "FILE#NAME" into its parts; name "" when there is none */
static int split(const char *where, char path[4096], const char **name)
{
    const char *hash = strrchr(where, '#');
    size_t n = hash != NULL ? (size_t)(hash - where) : strlen(where);
    if (n == 0 || n >= 4096)
        return cli_fail(CLI_USAGE, "'%.60s' is no file name", where);
    memcpy(path, where, n);
    path[n] = '\0';
    *name = hash != NULL ? hash + 1 : "";
    return CLI_OK;
}

/* ---- import ---------------------------------------------------------------------------------------------------------- */
static int load_json(const char *path, json_t **ret)
{
    json_error_t je;
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        *ret = json_object();
        return *ret != NULL ? CLI_OK : cli_fail(CLI_INTERNAL, "out of memory");
    }
    *ret = json_load_file(path, JSON_REJECT_DUPLICATES, &je);
    if (*ret == NULL)
        return cli_fail(CLI_DATA, "%s:%d:%d: %s", path, je.line, je.column, je.text);
    if (json_is_object(*ret))
        return CLI_OK;
    json_decref(*ret);
    return cli_fail(CLI_DATA, "%s: not a JSON object", path);
}

static bool is_set(const json_t *o)
{
    return json_object_get(o, "merkle_root") != NULL || json_object_get(o, "pubkeys") != NULL ||
           json_object_get(o, "new_merkle_root") != NULL;
}

/* the set to write to: the file itself or its member `name`, made when it is not there */
static json_t *set_of(json_t *top, const char *name)
{
    if (name[0] == '\0')
        return is_set(top) || json_object_size(top) == 0 ? top : NULL;
    json_t *set = json_object_get(top, name);
    if (set == NULL && !is_set(top) && json_object_set_new(top, name, json_object()) == 0)
        set = json_object_get(top, name);
    return json_is_object(set) ? set : NULL;
}

static void tell(const char *path, const struct gn_osnma_keyfile *f, bool changed)
{
    char hex[2 * GN_OSNMA_HASH_BYTES + 1];
    (void)printf("%s:", path);
    if (f->has_root) {
        gn_hex_print(f->root, sizeof f->root, hex);
        (void)printf(" Merkle root %.16s...,", hex);
    }
    if (f->has_key) {
        gn_hex_print(f->key.point, 8, hex);
        (void)printf(" public key PKID %u (%s, %s...),", f->key.pkid, gn_osnma_curves[f->key.curve].name, hex);
    }
    if (f->has_leaf)
        (void)printf(" its nodes lead from key %u to the root,", f->i_leaf);
    if (f->is_certified)
        (void)printf(" signed by the next certificate in the file,");
    if (f->state[0] != '\0')
        (void)printf(" state %s%s%s%s%s,", f->state, f->begin[0] != '\0' ? " from " : "", f->begin,
                f->end[0] != '\0' ? " to " : "", f->end);
    (void)printf(" %s\n", changed ? "added" : "already there");
    if (f->state[0] != '\0' && strcmp(f->state, "Applicable") != 0)
        (void)fprintf(stderr, "gnomon: warning: %s: the file itself says '%s', not 'Applicable'\n", path, f->state);
}

static int import_one(const struct cli_args *args, const char *path, json_t *set)
{
    struct gn_osnma_merge how = {.as_new_tree = cli_value(args, "new-tree") != NULL,
            .replaces = cli_value(args, "replace") != NULL};
    struct gn_osnma_keyfile f;
    struct gn_error err = {0};
    uint8_t *data = NULL;
    size_t n = 0;
    uint32_t pkid = 0;
    bool changed = false;
    if (!cli_number(args, "pkid", 1, 15, &pkid))
        return CLI_USAGE;
    int code = cli_read_file(path, GN_OSNMA_KEYS_FILE_MAX, &data, &n);
    if (code != CLI_OK)
        return code;
    const char *slash = strrchr(path, '/');
    gn_status st = gn_osnma_keyfile_parse(data, n, slash != NULL ? slash + 1 : path, &f, &err);
    free(data);
    if (st == GN_OK && f.has_key && f.key.pkid == 0)
        f.key.pkid = (uint8_t)pkid;
    if (st == GN_OK && f.has_key && pkid != 0 && f.key.pkid != pkid)
        return cli_fail(CLI_DATA, "%s: holds PKID %u, not %u", path, f.key.pkid, pkid);
    if (st == GN_OK)
        st = gn_osnma_keyfile_merge(&f, &how, set, &changed, &err);
    if (st != GN_OK)
        return err.line > 0 ? cli_fail(CLI_DATA, "%s:%d: %s", path, (int)err.line, err.text)
                            : cli_fail(CLI_DATA, "%s: %s", path, err.text);
    tell(path, &f, changed);
    return CLI_OK;
}

static int save(const char *path, const json_t *top)
{
    struct gn_error err = {0};
    char *text = json_dumps(top, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    if (text == NULL)
        return cli_fail(CLI_INTERNAL, "out of memory");
    size_t n = strlen(text);
    text[n++] = '\n'; /* over the end */
    gn_status st = gn_file_replace(path, text, n, &err);
    free(text);
    return st == GN_OK ? CLI_OK : cli_fail(CLI_OUTPUT, "%s", err.text);
}

static int import(const struct cli_args *args)
{
    const char *into = cli_value(args, "into"), *name = "";
    char path[4096];
    json_t *top = NULL;
    if (args->n_words < 2)
        return cli_fail(CLI_USAGE, "gnomon osnma keys import takes one or more files");
    int code = split(into != NULL ? into : DEFAULT_FILE, path, &name);
    if (code == CLI_OK)
        code = load_json(path, &top);
    json_t *set = code == CLI_OK ? set_of(top, name) : NULL;
    if (code == CLI_OK && set == NULL)
        code = cli_fail(CLI_DATA, name[0] == '\0' ? "%s: holds several sets: say which, as --into FILE#NAME"
                                                  : "%s: is one set without a name", path);
    for (uint32_t i = 1; code == CLI_OK && i < args->n_words; i++)
        code = import_one(args, args->words[i], set);
    if (code == CLI_OK)
        code = save(path, top); /* all or nothing */
    json_decref(top);
    return code;
}

/* ---- list -------------------------------------------------------------------------------------------------------------- */
static unsigned n_keys_of(const struct gn_osnma_anchor *a, bool is_new_tree)
{
    unsigned n = 0;
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++)
        n += a->pubkeys[i].is_used && a->pubkeys[i].is_new_root == is_new_tree;
    return n;
}

static void list_root(const char *name, bool is_there, const uint8_t *root)
{
    char hex[2 * GN_OSNMA_HASH_BYTES + 1];
    gn_hex_print(root, GN_OSNMA_HASH_BYTES, hex);
    (void)printf("%-16s %s\n", name, is_there ? hex : "-");
}

static void list_kroot(const struct gn_osnma_anchor *a)
{
    struct gn_osnma_kroot_fields k;
    if (!a->has_kroot) {
        (void)printf("%-16s -\n", "stored KROOT");
        return;
    }
    if (!gn_osnma_kroot_parse(a->nma_header, a->kroot, a->kroot_bytes, &k)) {
        (void)printf("%-16s damaged: a field holds a reserved value\n", "stored KROOT");
        return;
    }
    bool has_key = false;
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++)
        has_key = has_key || (a->pubkeys[i].is_used && a->pubkeys[i].pkid == k.pkid);
    (void)printf("%-16s chain %u, signed with PKID %u (%s), of GST week %u modulo 4096, hour %u\n", "stored KROOT", k.cid,
            k.pkid, has_key ? "there" : "NOT there", k.wn12, k.towh);
}

static void list_missing(const struct gn_osnma_anchor *a)
{
    if (!a->has_root)
        (void)puts("missing: the Merkle root: public keys sent by the satellites cannot be checked.\n"
                   "         Get OSNMA_MerkleTree_*.xml from the service centre (gsc-europa.eu) and import it.");
    if (n_keys_of(a, false) == 0)
        (void)puts("missing: a public key: the receiver waits until one is sent, every six hours or so.\n"
                   "         Get OSNMA_PublicKey_*.xml or .crt and import it.");
    if (!a->has_kroot)
        (void)puts("missing: a stored KROOT: the receiver waits for a whole DSM-KROOT, a minute or two.\n"
                   "         gnomon osnma run --state FILE keeps one.");
    if (!a->has_new_root)
        (void)puts("no next Merkle tree: needed only once the service announces one.");
    bool is_hot = a->has_kroot && n_keys_of(a, false) > 0, is_warm = n_keys_of(a, false) > 0;
    (void)printf("start: %s\n", is_hot ? "hot" : is_warm ? "warm" : a->has_root ? "cold" : "none");
}

static int list(const struct cli_args *args)
{
    const char *keys = cli_value(args, "keys");
    struct gn_osnma_anchor a;
    struct gn_error err = {0};
    char hex[2 * GN_OSNMA_POINT_BYTES + 1];
    const char *path = args->n_words > 1 ? args->words[1] : keys != NULL ? keys : DEFAULT_FILE;
    if (args->n_words > 2)
        return cli_fail(CLI_USAGE, "gnomon osnma keys list takes one file");
    if (gn_osnma_keys_load(path, true, &a, &err) != GN_OK)
        return err.line > 0 ? cli_fail(CLI_DATA, "%s:%d: %s", path, (int)err.line, err.text)
                            : cli_fail(CLI_DATA, "%s: %s", path, err.text);
    if (a.is_test)
        (void)puts("TEST keys: what they sign proves nothing about a real sky");
    list_root("Merkle root", a.has_root, a.root);
    list_root("next Merkle root", a.has_new_root, a.new_root);
    for (unsigned i = 0; i < GN_OSNMA_PUBKEYS_MAX; i++) {
        const struct gn_osnma_pubkey *k = &a.pubkeys[i];
        if (!k->is_used)
            continue;
        gn_hex_print(k->point, gn_osnma_curves[k->curve].point_bytes, hex);
        (void)printf("public key %-5u %s %s%s\n", k->pkid, gn_osnma_curves[k->curve].name, hex,
                k->is_new_root ? " (next tree)" : "");
    }
    list_kroot(&a);
    list_missing(&a);
    return CLI_OK;
}

static int run(const struct cli_args *args)
{
    if (strcmp(args->words[0], "import") == 0)
        return import(args);
    if (strcmp(args->words[0], "list") == 0)
        return list(args);
    return cli_fail(CLI_USAGE, "gnomon osnma keys knows import and list, not '%s'", args->words[0]);
}

const struct cli_command cli_osnma_keys = {
        .name = "osnma keys",
        .usage = "osnma keys import FILE... [--into KEYS.json[#NAME]] | osnma keys list [KEYS.json[#NAME]]",
        .summary = "trust anchors: import the service centre's files, say what is missing",
        .more = "import reads the European GNSS Service Centre's XML (public key, Merkle tree), certificates (.crt, PEM or\n"
                "DER) and PEM public keys. A tree file is taken only if its nodes lead from its key to its root. What you\n"
                "import is what you trust: check where the files come from.",
        .options = options,
        .n_words_min = 1,
        .n_words_max = CLI_WORDS_MAX,
        .run = run,
};
