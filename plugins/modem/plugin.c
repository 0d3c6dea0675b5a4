/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "plugins/modem/blocks.h"

static const struct gn_block *const blocks[] = {
        &gn_modem_oqpsk_demod, &gn_modem_mac, &gn_modem_channel, &gn_modem_ping, &gn_modem_echo,
        &gn_modem_oqpsk_mod, &gn_modem_pcap_sink, &gn_modem_pcap_source};

GN_PLUGIN("modem", "0.1.0", "GPL-3.0-or-later", blocks);
