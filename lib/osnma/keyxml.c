/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The service centre's XML:
 *
 *   signalData/body/PublicKey:  State, i, PKID, lengthInBits, point, PKType
 *   signalData/body/MerkleTree: State, N, HashFunction, PublicKey (as above), TreeNode: j, i, lengthInBits, x_ji
 *
 * Node (4, 0) is the root; the others are the neighbours on the way from the key up to it. Files without a root
 * element (fragments) are read too. */
#include "lib/base/error.h"
#include "lib/bits/hex.h"
#include "lib/osnma/keyfile.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX  256
#define DEPTH_MAX 24
#define NODES     4

struct reader {
    XML_Parser parser;
    int depth;
    bool in_node, is_bad;
    char what[48]; /* what is bad */
    size_t n_text;
    char text[TEXT_MAX];
    unsigned node_j, node_i, leaf_i;
    bool has_leaf_i, has_node[NODES];
    unsigned at_node[NODES];
    uint8_t nodes[NODES][GN_OSNMA_HASH_BYTES];
    struct gn_osnma_keyfile f;
};

static void bad(struct reader *r, const char *what)
{
    if (!r->is_bad)
        (void)snprintf(r->what, sizeof r->what, "%s", what);
    r->is_bad = true;
    (void)XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL on_start(void *arg, const char *name, const char **attributes)
{
    struct reader *r = arg;
    (void)attributes;
    r->n_text = 0;
    if (++r->depth > DEPTH_MAX)
        bad(r, "too deep");
    if (strcmp(name, "TreeNode") == 0)
        r->in_node = true;
}

static void XMLCALL on_text(void *arg, const char *text, int n)
{
    struct reader *r = arg;
    for (int i = 0; i < n && r->n_text + 1 < TEXT_MAX; i++)
        if (text[i] > ' ' || (text[i] == ' ' && r->n_text > 0))
            r->text[r->n_text++] = text[i];
}

static bool take_number(const struct reader *r, unsigned max, unsigned *ret)
{
    char *end = NULL;
    unsigned long v = strtoul(r->text, &end, 10);
    *ret = (unsigned)v;
    return end != r->text && *end == '\0' && r->text[0] != '-' && v <= max;
}

static void take_point(struct reader *r)
{
    size_t n = r->n_text / 2;
    unsigned curve = n == gn_osnma_curves[GN_OSNMA_P256].point_bytes   ? GN_OSNMA_P256
                     : n == gn_osnma_curves[GN_OSNMA_P521].point_bytes ? GN_OSNMA_P521
                                                                       : GN_OSNMA_CURVE_NONE;
    if (curve == GN_OSNMA_CURVE_NONE || r->n_text % 2 != 0 ||
            !gn_hex_parse(r->text, r->n_text, r->f.key.point, sizeof r->f.key.point) ||
            !gn_osnma_point_ok(curve, r->f.key.point, n)) {
        bad(r, "'point' is no point of P-256 or P-521");
        return;
    }
    r->f.key.curve = (uint8_t)curve;
    r->f.has_key = 1;
}

static void take_node(struct reader *r)
{
    uint8_t x[GN_OSNMA_HASH_BYTES];
    if (r->n_text != 2 * sizeof x || !gn_hex_parse(r->text, r->n_text, x, sizeof x) || r->node_j > NODES) {
        bad(r, "'x_ji' is no node of a 16-leaf tree");
        return;
    }
    if (r->node_j == NODES) {
        memcpy(r->f.root, x, sizeof x);
        r->f.has_root = 1;
        return;
    }
    memcpy(r->nodes[r->node_j], x, sizeof x);
    r->has_node[r->node_j] = true;
    r->at_node[r->node_j] = r->node_i;
}

static void copy(char *to, size_t room, const char *from)
{
    (void)snprintf(to, room, "%.*s", (int)room - 1, from);
}

static void take_in_key(struct reader *r, const char *name)
{
    unsigned v = 0;
    if (strcmp(name, "PKID") == 0) {
        if (!take_number(r, 15, &v) || v == 0)
            bad(r, "'PKID' is not 1 to 15");
        r->f.key.pkid = (uint8_t)v;
    } else if (strcmp(name, "i") == 0) {
        r->has_leaf_i = take_number(r, 15, &r->leaf_i);
    } else if (strcmp(name, "point") == 0) {
        take_point(r);
    }
}

static void XMLCALL on_end(void *arg, const char *name)
{
    struct reader *r = arg;
    r->text[r->n_text] = '\0';
    r->depth--;
    if (strcmp(name, "TreeNode") == 0)
        r->in_node = false;
    else if (strcmp(name, "HashFunction") == 0 && strcmp(r->text, "SHA-256") != 0)
        bad(r, "'HashFunction' is not SHA-256");
    else if (strcmp(name, "State") == 0)
        copy(r->f.state, sizeof r->f.state, r->text);
    else if (strcmp(name, "Begin") == 0)
        copy(r->f.begin, sizeof r->f.begin, r->text);
    else if (strcmp(name, "End") == 0)
        copy(r->f.end, sizeof r->f.end, r->text);
    else if (r->in_node && strcmp(name, "j") == 0 && !take_number(r, NODES, &r->node_j))
        bad(r, "'j' of a TreeNode is not 0 to 4");
    else if (r->in_node && strcmp(name, "i") == 0 && !take_number(r, 15, &r->node_i))
        bad(r, "'i' of a TreeNode is not 0 to 15");
    else if (r->in_node && strcmp(name, "x_ji") == 0)
        take_node(r);
    else if (!r->in_node) /* PKID and point stand alone in fragments */
        take_in_key(r, name);
    r->n_text = 0;
}

/* the neighbours must lead from the key's leaf to the root the file names */
static gn_status check_tree(struct reader *r, struct gn_error *err)
{
    uint8_t leaf[1 + GN_OSNMA_POINT_BYTES], root[GN_OSNMA_HASH_BYTES];
    for (unsigned j = 0; j < NODES; j++)
        if (!r->has_node[j] || r->at_node[j] != ((r->leaf_i >> j) ^ 1u))
            return gn_fail(err, GN_E_DATA, "the tree lacks node (%u, %u), the neighbour on the way from key %u to the root",
                    j, (r->leaf_i >> j) ^ 1u, r->leaf_i);
    struct gn_osnma_crypto *c = gn_osnma_crypto_new();
    if (c == NULL)
        return gn_fail(err, GN_E_NOMEM, "out of memory");
    size_t n = gn_osnma_curves[r->f.key.curve].point_bytes;
    unsigned npkt = r->f.key.curve == GN_OSNMA_P256 ? GN_NPKT_P256 : GN_NPKT_P521;
    leaf[0] = (uint8_t)(npkt << 4 | r->f.key.pkid);
    memcpy(leaf + 1, r->f.key.point, n);
    gn_osnma_merkle_root(c, leaf, 1 + n, r->leaf_i, r->nodes[0], root);
    gn_osnma_crypto_free(c);
    if (memcmp(root, r->f.root, sizeof root) != 0)
        return gn_fail(err, GN_E_DATA, "the nodes of the tree do not lead from key PKID %u to its root", r->f.key.pkid);
    r->f.has_leaf = 1;
    r->f.i_leaf = (uint8_t)r->leaf_i;
    return GN_OK;
}

/* without the <?xml ... ?> in front, so that a root element can be put around; inside of one no DOCTYPE, and so no entity, is allowed */
static const char *skip_prolog(const char *text, size_t *n)
{
    size_t k = *n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (k < *n && (text[k] == ' ' || text[k] == '\n' || text[k] == '\r' || text[k] == '\t'))
        k++;
    if (*n - k > 5 && memcmp(text + k, "<?xml", 5) == 0) {
        const char *end = memchr(text + k, '>', *n - k);
        k = end != NULL ? (size_t)(end - text) + 1 : k;
    }
    *n -= k;
    return text + k;
}

gn_status gn_osnma_keyxml_parse(const char *text, size_t n_bytes, struct gn_osnma_keyfile *ret, struct gn_error *err)
{
    struct reader *r = calloc(1, sizeof *r);
    XML_Parser p = XML_ParserCreate("UTF-8");
    gn_status st = GN_OK;
    if (r == NULL || p == NULL || n_bytes > GN_OSNMA_KEYS_FILE_MAX) {
        XML_ParserFree(p);
        free(r);
        return gn_fail(err, r == NULL || p == NULL ? GN_E_NOMEM : GN_E_DATA, "the file is too large");
    }
    r->parser = p;
    XML_SetUserData(p, r);
    XML_SetElementHandler(p, on_start, on_end);
    XML_SetCharacterDataHandler(p, on_text);
    text = skip_prolog(text, &n_bytes);
    bool ok = XML_Parse(p, "<gnomon>", 8, 0) == XML_STATUS_OK && XML_Parse(p, text, (int)n_bytes, 0) == XML_STATUS_OK &&
              XML_Parse(p, "</gnomon>", 9, 1) == XML_STATUS_OK;
    if (r->is_bad)
        st = gn_fail_at(err, GN_E_DATA, (int32_t)XML_GetCurrentLineNumber(p), 1, "%s", r->what);
    else if (!ok)
        st = gn_fail_at(err, GN_E_PARSE, (int32_t)XML_GetCurrentLineNumber(p), 1, "not XML: %.80s",
                XML_ErrorString(XML_GetErrorCode(p)));
    else if (!r->f.has_key && !r->f.has_root)
        st = gn_fail(err, GN_E_DATA, "the XML holds neither a public key ('point') nor a Merkle root (TreeNode 4, 0)");
    else if (r->f.has_key && r->f.key.pkid == 0)
        st = gn_fail(err, GN_E_DATA, "the XML says no 'PKID'");
    else if (r->f.has_key && r->f.has_root)
        st = r->has_leaf_i ? check_tree(r, err) : gn_fail(err, GN_E_DATA, "the XML does not say the key's place 'i'");
    if (st == GN_OK)
        *ret = r->f;
    XML_ParserFree(p);
    free(r);
    return st;
}
