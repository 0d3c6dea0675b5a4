/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "core/text/unit.h"

#include "core/text/status.h"
#include "core/text/suggest.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SI brochure (9th edition) for prefixes and non-SI units accepted with it; IEC 80000-13 for KiB. */
static const struct unit {
    const char *name, *family;
    double factor;
} units[] = {
        {"Hz", "frequency", 1}, {"kHz", "frequency", 1e3}, {"MHz", "frequency", 1e6},
        {"GHz", "frequency", 1e9}, {"mHz", "frequency", 1e-3}, {"sps", "frequency", 1},
        {"ksps", "frequency", 1e3}, {"Msps", "frequency", 1e6}, {"Gsps", "frequency", 1e9},
        {"S/s", "frequency", 1}, {"kS/s", "frequency", 1e3}, {"MS/s", "frequency", 1e6},
        {"s", "time", 1}, {"ms", "time", 1e-3}, {"us", "time", 1e-6}, {"µs", "time", 1e-6},
        {"ns", "time", 1e-9}, {"min", "time", 60}, {"h", "time", 3600}, {"d", "time", 86400},
        {"m", "length", 1}, {"km", "length", 1e3}, {"cm", "length", 1e-2}, {"mm", "length", 1e-3},
        {"", "ratio", 1}, {"%", "ratio", 1e-2}, {"ppm", "ratio", 1e-6}, {"ppb", "ratio", 1e-9},
        {"dB", "level", 1}, {"dB-Hz", "density", 1}, {"dBHz", "density", 1}, {"dBm", "power", 1},
        {"dBW", "powerw", 1}, {"deg", "angle", 3.14159265358979323846 / 180}, {"rad", "angle", 1},
        {"mrad", "angle", 1e-3}, {"m/s", "speed", 1}, {"km/h", "speed", 1 / 3.6},
        {"m/s^2", "acceleration", 1}, {"Hz/s", "chirp", 1}, {"kHz/s", "chirp", 1e3},
        {"chip", "chips", 1}, {"chips", "chips", 1}, {"cycle", "cycles", 1},
        {"cycles", "cycles", 1}, {"B", "bytes", 1}, {"byte", "bytes", 1}, {"bytes", "bytes", 1},
        {"kB", "bytes", 1e3}, {"MB", "bytes", 1e6}, {"GB", "bytes", 1e9}, {"KiB", "bytes", 1024},
        {"MiB", "bytes", 1048576}, {"GiB", "bytes", 1073741824}, {"bit", "bits", 1},
        {"bits", "bits", 1}, {"V", "voltage", 1}, {"mV", "voltage", 1e-3}, {"K", "temperature", 1},
};

static const struct unit *find_unit(const char *name)
{
    for (size_t i = 0; i < GN_COUNT(units); i++) {
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    }
    return NULL;
}

static gn_status unit_error(const char *said, const char *unit, const struct unit *want,
        const char **suggestion, struct gn_error *err)
{
    const struct unit *got = find_unit(said);
    struct gn_suggest s = {.word = said};

    for (size_t i = 0; want != NULL && i < GN_COUNT(units); i++) {
        if (strcmp(units[i].family, want->family) == 0 && units[i].name[0] != '\0')
            gn_suggest_offer(&s, units[i].name);
    }
    if (suggestion != NULL)
        *suggestion = got == NULL && s.best != NULL ? s.best : (unit[0] != '\0' ? unit : NULL);
    if (got != NULL)
        return gn_error_set(err, GN_E_PARSE, "unit '%s' does not fit: %s is expected", said,
                unit[0] != '\0' ? unit : "a plain number");
    return gn_error_set(err, GN_E_PARSE, "unknown unit '%s'", said);
}

gn_status gn_quantity_parse(const char *text, const char *unit, double *ret,
        const char **suggestion, struct gn_error *err)
{
    char word[16], *end = NULL;
    double value = strtod(text, &end);

    if (suggestion != NULL)
        *suggestion = NULL;
    if (end == text || isspace((unsigned char)text[0]) || !isfinite(value))
        return gn_error_set(err, GN_E_PARSE, "'%.60s' is not a number", text);
    end += strspn(end, " ");
    size_t n = strlen(end);
    while (n > 0 && end[n - 1] == ' ')
        n--;
    if (n == 0) {
        *ret = value;
        return GN_OK;
    }
    if (n >= sizeof word)
        return gn_error_set(err, GN_E_PARSE, "'%.60s' is not a number with a unit", text);
    memcpy(word, end, n);
    word[n] = '\0';
    const struct unit *want = find_unit(unit), *got = find_unit(word);
    if (strcmp(word, unit) == 0) {
        *ret = value;
        return GN_OK;
    }
    if (!isalpha((unsigned char)word[0]) && (unsigned char)word[0] < 0x80 && word[0] != '%')
        return gn_error_set(err, GN_E_PARSE, "'%.60s' is not a number", text);
    if (want == NULL || got == NULL || strcmp(want->family, got->family) != 0)
        return unit_error(word, unit, want, suggestion, err);
    value *= got->factor / want->factor;
    if (!isfinite(value))
        return gn_error_set(err, GN_E_PARSE, "'%.60s' is too large", text);
    *ret = value;
    return GN_OK;
}
