/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/text/json.h"

#include <math.h>
#include <stdlib.h>

size_t gn_utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        return (s[1] & 0xc0) == 0x80 ? 2 : 0;
    if (s[0] >= 0xe0 && s[0] <= 0xef) {
        if ((s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80)
            return 0;
        if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))
            return 0;
        return 3;
    }
    if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        if ((s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80 || (s[3] & 0xc0) != 0x80)
            return 0;
        if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
            return 0;
        return 4;
    }
    return 0;
}

void gn_json_text(FILE *to, const char *text)
{
    if (text == NULL) {
        (void)fputs("null", to);
        return;
    }
    (void)fputc('"', to);
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        size_t n = gn_utf8_length(s);
        if (n == 0)
            (void)fputs("\\ufffd", to);
        else if (*s == '"' || *s == '\\')
            (void)fprintf(to, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            (void)fprintf(to, "\\u%04x", (unsigned)*s);
        else
            (void)fwrite(s, 1, n, to);
        s += n > 0 ? n : 1;
    }
    (void)fputc('"', to);
}

void gn_json_pair(FILE *to, const char *key, const char *text)
{
    gn_json_text(to, key);
    (void)fputs(": ", to);
    gn_json_text(to, text);
}

void gn_json_number(FILE *to, double value)
{
    char text[40];

    if (!isfinite(value)) {
        (void)fputs("null", to);
        return;
    }
    for (int digits = 6; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    (void)fputs(text, to);
}
