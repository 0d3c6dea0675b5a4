/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Messages to a verifier, one length byte before each. Oracles: a challenge goes out only when the reason is ok, nothing made
 * of chance is accepted, and answers to answers have seven bytes. */
#include "lib/gpsauth/session.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool is_true)
{
    if (!is_true)
        abort();
}

static void hear(struct gn_ga_verifier *v, double now_s, const uint8_t *msg, size_t n)
{
    uint8_t out[GN_GA_MSG_MAX];
    size_t n_out = 0;
    const enum gn_ga_reason opened = gn_ga_verifier_challenge(v, now_s, msg, n, out, &n_out);
    require((opened == GN_GA_OK) == (n_out == GN_GA_MSG_HEAD + 3));
    require(gn_ga_verifier_check(v, now_s, msg, n, out, &n_out) != GN_GA_OK && (n_out == 0 || n_out == GN_GA_MSG_HEAD + 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct gn_ga_public key = {
            .kind = GN_GA_P256, .public_key = "03ef623bf8b007cb45ef56180e8f4a7a7ef70f0470fcfbac86d6c2c44c5b6a15a8"};
    struct gn_ga_verifier v = {.shape = {.s_bits = 160, .c_bits = 20, .r_bits = 260}, .x_bits = 64, .timeout_s = 3,
            .lock_s = 9, .n_wrong_max = 3};
    double now_s = 0;

    require(gn_ga_group_open(&key, &v.group, NULL) == GN_OK);
    while (n > 0) {
        const size_t k = data[0] < n - 1 ? data[0] : n - 1;
        hear(&v, now_s++, data + 1, k);
        data += 1 + k;
        n -= 1 + k;
    }
    gn_ga_group_close(v.group);
    return 0;
}
