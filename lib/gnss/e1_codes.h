/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Tables of e1_codes.c; use gn_code_chips() of codes.h. */
#ifndef GN_GNSS_E1_CODES_H
#define GN_GNSS_E1_CODES_H

#define GN_E1_CODES 50 /* the ICD lists 50 codes; satellites use 1..36 */

extern const char *const gn_e1b_hex[GN_E1_CODES]; /* 1023 hex digits each */
extern const char *const gn_e1c_hex[GN_E1_CODES];

#endif
