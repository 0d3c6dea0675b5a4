/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "gnomon/status.h"
#include "lib/time/time.h"

#define NTP_EPOCH_TAI_S (-1830297600LL) /* 1900-01-01 counted from 1958-01-01 */

/* IERS leap-seconds.list: first UTC second (since 1900) with the new TAI - UTC. */
static const struct {
    int64_t utc_1900_s;
    int32_t tai_minus_utc_s;
} leaps[] = {
        {2272060800, 10},
        {2287785600, 11},
        {2303683200, 12},
        {2335219200, 13},
        {2366755200, 14},
        {2398291200, 15},
        {2429913600, 16},
        {2461449600, 17},
        {2492985600, 18},
        {2524521600, 19},
        {2571782400, 20},
        {2603318400, 21},
        {2634854400, 22},
        {2698012800, 23},
        {2776982400, 24},
        {2840140800, 25},
        {2871676800, 26},
        {2918937600, 27},
        {2950473600, 28},
        {2982009600, 29},
        {3029443200, 30},
        {3076704000, 31},
        {3124137600, 32},
        {3345062400, 33},
        {3439756800, 34},
        {3550089600, 35},
        {3644697600, 36},
        {3692217600, 37},
};

/* "File expires on" of the list of July 2025: 28 June 2026. Still 37 s at the end of 2026. */
#define LEAPS_EXPIRE_1900_S 3991593600LL

int32_t gn_leap_tai_minus_utc(int64_t tai_s)
{
    int32_t offset_s = 0;
    for (size_t i = 0; i < GN_COUNT(leaps); i++) {
        int64_t since_tai_s = leaps[i].utc_1900_s + NTP_EPOCH_TAI_S + leaps[i].tai_minus_utc_s;
        if (tai_s < since_tai_s)
            break;
        offset_s = leaps[i].tai_minus_utc_s;
    }
    return offset_s;
}

int32_t gn_leap_at_utc(int64_t utc_s)
{
    int32_t offset_s = 0;
    for (size_t i = 0; i < GN_COUNT(leaps) && utc_s >= leaps[i].utc_1900_s + NTP_EPOCH_TAI_S; i++)
        offset_s = leaps[i].tai_minus_utc_s;
    return offset_s;
}

bool gn_leap_is_expired(int64_t tai_s)
{
    return tai_s - leaps[GN_COUNT(leaps) - 1].tai_minus_utc_s >=
           LEAPS_EXPIRE_1900_S + NTP_EPOCH_TAI_S;
}
