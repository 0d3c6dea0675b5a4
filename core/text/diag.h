/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* What is wrong with what people wrote, all of it in one pass, each with its place:
 *
 *   receiver.yaml:9:15: error: unknown block 'acq.pcsp'
 *      9 |   acq:  {use: acq.pcsp}
 *        |               ^~~~~~~~
 *        = did you mean 'acq.pcps'?
 *
 * Texts ("sources") and messages live as long as the list does; marks point into it. [control] */
#ifndef GN_TEXT_DIAG_H
#define GN_TEXT_DIAG_H

#include "core/graph/graph.h"
#include "gnomon/status.h"

#include <stdbool.h>
#include <stdio.h>

struct gn_diag; /* opaque */

/* A text that marks point into. */
struct gn_source {
    const char *name; /* as in messages: "receiver.yaml", "-p", "command line" */
    const char *dir;  /* with a trailing slash, or "": what paths in it are relative to */
    const char *text; /* zero-ended */
    size_t n;
    const struct gn_source *next;
};

struct gn_diag *gn_diag_new(void);
void gn_diag_free(struct gn_diag *diag);

/* Copies all. dir may be NULL for "". */
const struct gn_source *gn_diag_source(
        struct gn_diag *diag, const char *name, const char *dir, const char *text, size_t n);

/* Add an error (or warning) at a place; mark NULL or line 0: no place. */
void gn_diag_error(struct gn_diag *diag, gn_status status, const struct gn_mark *mark,
        const char *fmt, ...) GN_PRINTF(4, 5);
void gn_diag_warn(struct gn_diag *diag, const struct gn_mark *mark, const char *fmt, ...)
        GN_PRINTF(3, 4);
/* To the message added last: the word that would be right (NULL: none), and a line of help. */
void gn_diag_suggest(struct gn_diag *diag, const char *word);
void gn_diag_help(struct gn_diag *diag, const char *fmt, ...) GN_PRINTF(2, 3);

/* Forget all messages, keep the texts: for mistakes that show up later, at run time. */
void gn_diag_clear(struct gn_diag *diag);

uint32_t gn_diag_n_errors(const struct gn_diag *diag);
/* Of the first error added, GN_OK without one. */
gn_status gn_diag_status(const struct gn_diag *diag);

/* In the order of the texts, line, column. is_colour: ANSI. */
void gn_diag_print(struct gn_diag *diag, FILE *to, bool is_colour);
/* One array of {file, line, column, length, severity, message, suggestion, help}. */
void gn_diag_print_json(struct gn_diag *diag, FILE *to);

#endif
