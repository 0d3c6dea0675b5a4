/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#ifndef GN_PLUGINS_MODEM_BLOCKS_H
#define GN_PLUGINS_MODEM_BLOCKS_H

#include "gnomon/block.h"

extern const struct gn_block gn_modem_oqpsk_demod, gn_modem_mac, gn_modem_channel, gn_modem_ping, gn_modem_echo;
extern const struct gn_block gn_modem_oqpsk_mod, gn_modem_pcap_sink, gn_modem_pcap_source;

#endif
