/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/lab/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const gn_score_class_names[] = {"nothing", "spoofing", "jamming"};
const char *const gn_score_duty_names[] = {"forbidden", "allowed", "required", "impossible"};

void gn_score_init(struct gn_score *s, const struct gn_score_task *task)
{
    memset(s, 0, sizeof *s);
    s->task = *task;
    s->detected_s = s->first_fix_s = s->first_authentic_s = s->jammed_from_s = NAN;
    for (uint32_t i = 0; i < GN_SCORE_SECONDS; i++)
        s->seconds[i].all_m = s->seconds[i].authentic_m = NAN;
}

static bool is_within(const struct gn_score_task *t, double t_s)
{
    return t_s >= t->attack_s[0] && !(t_s > t->attack_s[1] + GN_SCORE_HOLD_S);
}

/* One note: a repeated one within a second of the last of its kind adds nothing. */
static void note(struct gn_score *s, double t_s, unsigned kind, enum gn_score_class class)
{
    const struct gn_score_task *t = &s->task;
    bool is_ours = class == t->about && t->duty != GN_SCORE_FORBIDDEN;
    bool is_false = !is_within(t, t_s) || !(is_ours || t->may_also[class]);
    s->n_false += is_false;
    if (s->n_alarms < GN_SCORE_ALARMS)
        s->alarms[s->n_alarms++] = (struct gn_score_alarm){
                .t_s = t_s, .kind = (uint8_t)kind, .class = (uint8_t) class, .is_false = is_false};
    if (!is_false && is_ours && isnan(s->detected_s)) {
        s->detected_s = t_s;
        s->detected_by = (uint8_t)kind;
    }
}

void gn_score_alarm(struct gn_score *s, double t_s, unsigned kind, enum gn_score_class class)
{
    note(s, t_s, kind, class);
}

void gn_score_jammed(struct gn_score *s, double t_s, bool is_on)
{
    for (double t = s->jammed_from_s; t <= t_s && t < GN_SCORE_SECONDS; t++)
        s->seconds[(uint32_t)t].is_jammed = 1;
    s->jammed_from_s = is_on ? (isnan(s->jammed_from_s) ? t_s : s->jammed_from_s) : (double)NAN;
}

void gn_score_forged(struct gn_score *s, double t_s)
{
    if (s->n_forged++ == 0)
        note(s, t_s, GN_GUARD_NONE, GN_SCORE_SPOOFING);
}

static double distance(const double a[3], const double b[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

void gn_score_fix(struct gn_score *s, double t_s, bool is_authentic_only, bool is_suspected,
        bool is_called_authentic, const double ecef_m[3])
{
    if (!(t_s >= 0 && t_s < GN_SCORE_SECONDS))
        return;
    struct gn_score_second *x = &s->seconds[(uint32_t)t_s];
    float error_m = (float)distance(ecef_m, s->task.truth_ecef_m);
    double *first_s = is_authentic_only ? &s->first_authentic_s : &s->first_fix_s;
    float *slot = is_authentic_only ? &x->authentic_m : &x->all_m;
    if (is_authentic_only ? isnan(*first_s) && is_called_authentic : isnan(*first_s))
        *first_s = t_s;
    *slot = isnan(*slot) || error_m > *slot ? error_m : *slot;
    if (is_suspected && !s->was_suspected)
        note(s, t_s, GN_GUARD_NONE, GN_SCORE_SPOOFING);
    s->was_suspected = is_suspected;
    x->is_suspected |= is_suspected;
    x->is_claimed |= is_called_authentic;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void sum_up(struct gn_score *s, double seconds)
{
    static const double none = NAN;
    float all[GN_SCORE_SECONDS];
    uint32_t n = 0;
    s->n_seconds = seconds < GN_SCORE_SECONDS ? (uint32_t)ceil(seconds) : GN_SCORE_SECONDS;
    s->all_max_m = s->all_median_m = s->authentic_max_m = none;
    for (uint32_t i = 0; i < s->n_seconds; i++) {
        const struct gn_score_second *x = &s->seconds[i];
        s->all_max_m = fmax(s->all_max_m, (double)x->all_m);
        s->authentic_max_m = fmax(s->authentic_max_m, (double)x->authentic_m);
        s->claimed_s += x->is_claimed;
        s->last_claim_s = x->is_claimed ? i + 1 : s->last_claim_s;
        bool is_wrong =
                (double)x->all_m > s->task.limit_m || (double)x->authentic_m > s->task.limit_m;
        s->misled_s += is_wrong && !x->is_suspected && !x->is_jammed;
        if (!isnan(x->all_m))
            all[n++] = x->all_m;
    }
    qsort(all, n, sizeof all[0], by_value);
    if (n > 0)
        s->all_median_m = (double)all[n / 2];
}

static void check(struct gn_score *s, const char *name, double value, double limit, bool is_good)
{
    s->checks[s->n_checks++] = (struct gn_score_check){name, value, limit, is_good};
}

/* Below or equal; a value that never came is bad. */
static void check_below(struct gn_score *s, const char *name, double value, double limit)
{
    if (!isnan(limit))
        check(s, name, value, limit, value <= limit);
}

void gn_score_end(struct gn_score *s, double seconds)
{
    const struct gn_score_task *t = &s->task;
    gn_score_jammed(s, seconds, false);
    sum_up(s, seconds);
    s->n_checks = 0;
    check(s, "false alarms", s->n_false, 0, s->n_false == 0);
    if (t->duty == GN_SCORE_REQUIRED) {
        double after_s = s->detected_s - t->attack_s[0];
        check(s, "detected after, s", after_s, t->within_s,
                after_s <= t->within_s || (!isnan(after_s) && isnan(t->within_s)));
    }
    check_below(s, "first fix, s", s->first_fix_s, t->fix_by_s);
    check_below(s, "first authenticated fix, s", s->first_authentic_s, t->authentic_by_s);
    check_below(s, "misled, s", s->misled_s, t->misled_s);
    if (!isnan(t->authentic_m))
        check(s, "authenticated error, m", s->authentic_max_m, t->authentic_m,
                !(s->authentic_max_m > t->authentic_m));
    if (!isnan(t->claims_end_s))
        check(s, "last called authenticated, s", s->last_claim_s, t->claims_end_s,
                s->last_claim_s <= t->claims_end_s);
    if (t->no_authentic)
        check(s, "called authenticated, s", s->claimed_s, 0, s->claimed_s == 0);
    s->is_passed = true;
    for (uint32_t i = 0; i < s->n_checks; i++)
        s->is_passed = s->is_passed && s->checks[i].is_good;
}
