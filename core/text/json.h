/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* The little JSON that core and the command line write themselves. */
#ifndef GN_TEXT_JSON_H
#define GN_TEXT_JSON_H

#include <stddef.h>
#include <stdio.h>

/* Length of the UTF-8 character at s (RFC 3629: no surrogates, nothing overlong), 0: not one. s is
 * zero-ended. [any thread] */
size_t gn_utf8_length(const unsigned char *s);

/* A JSON string with quotes; NULL gives null. Bytes that are not UTF-8 become U+FFFD. [any thread] */
void gn_json_text(FILE *to, const char *text);
/* "key": "text" */
void gn_json_pair(FILE *to, const char *key, const char *text);
/* A number with 17 digits at most, null when it is not finite. */
void gn_json_number(FILE *to, double value);

#endif
