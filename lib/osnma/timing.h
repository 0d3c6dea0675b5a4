/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* UTC and GGTO out of the 141 bits that an ADKD 4 tag covers: word 6 from A0 to the leap second, word 10 from A0G to WN0G.
 * Source: OSNMA SIS ICD 1.1 table 22; Galileo OS SIS ICD 2.1 sections 5.1.7 and 5.1.8. */
#ifndef GN_OSNMA_TIMING_H
#define GN_OSNMA_TIMING_H

#include "lib/msg/osnma.h"

#include <stdbool.h>

/* False, *ret untouched: not ADKD 4, or not authentic. [any thread] */
bool gn_osnma_timing(const struct gn_msg_osnma_data *data, struct gn_msg_osnma_time *ret);

#endif
