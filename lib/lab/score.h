/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A receiver's behaviour under a scenario, in numbers.
 *
 *   time     0 ........ attack begins ........ attack ends .. + GN_SCORE_HOLD_S ..... end
 *   alarms   | false                | detection                                | false    |
 *   a fix    | error against the truth, once a second; "misled": wrong by more than limit_m, and
 * the | receiver does not say that it suspects anything
 *
 * Nothing is allocated; a scenario lasts at most GN_SCORE_SECONDS. [any thread], state is the
 * caller's. */
#ifndef GN_LAB_SCORE_H
#define GN_LAB_SCORE_H

#include "gnomon/status.h"
#include "lib/msg/guard.h"

#include <stdbool.h>
#include <stdint.h>

#define GN_SCORE_SECONDS 1800u
#define GN_SCORE_HOLD_S  35.0 /* a receiver may stay suspicious for so long after an attack */
#define GN_SCORE_ALARMS  64u
#define GN_SCORE_CHECKS  10u

/* What an alarm is about; also what a scenario is. */
enum gn_score_class {
    GN_SCORE_NOTHING = 0,
    GN_SCORE_SPOOFING,
    GN_SCORE_JAMMING,
    GN_SCORE_CLASS_COUNT
};
/* What a good receiver does about the attack. */
enum gn_score_duty {
    GN_SCORE_FORBIDDEN = 0,
    GN_SCORE_ALLOWED,
    GN_SCORE_REQUIRED,
    GN_SCORE_IMPOSSIBLE
};

/* Not a number: not asked for. */
struct gn_score_task {
    double truth_ecef_m[3];
    double attack_s[2]; /* begin, end; begin not a number: no attack */
    enum gn_score_class about;
    enum gn_score_duty duty;             /* to raise an alarm of that class */
    bool may_also[GN_SCORE_CLASS_COUNT]; /* alarms of these classes are no false alarms either */
    double within_s;                     /* detection after the attack begins */
    double limit_m;                      /* error that counts as wrong */
    double misled_s;                     /* seconds misled that are tolerated */
    double authentic_m;                  /* largest error of the authenticated solution */
    double fix_by_s, authentic_by_s;
    double claims_end_s; /* nothing may be called authenticated later than this */
    bool no_authentic;   /* nothing may be called authenticated */
};

struct gn_score_second { /* errors in metres, not a number without a fix */
    float all_m, authentic_m;
    uint8_t is_suspected; /* by the trust of a fix */
    uint8_t is_claimed;   /* an authenticated solution called authenticated */
    uint8_t is_jammed;    /* it said so */
    uint8_t reserved;
};

struct gn_score_alarm {
    double t_s;
    uint8_t kind; /* enum gn_guard_kind; NONE: a fix was called spoofing-suspected, or data forged
                   */
    uint8_t class;
    bool is_false;
};

struct gn_score_check {
    const char *name;
    double value, limit; /* value not a number: it did not happen */
    bool is_good;
};

struct gn_score {
    struct gn_score_task task;
    uint32_t n_seconds;
    struct gn_score_second seconds[GN_SCORE_SECONDS];
    struct gn_score_alarm alarms[GN_SCORE_ALARMS];
    uint32_t n_alarms, n_false; /* alarms kept; all false ones counted */
    uint32_t n_forged;          /* verdicts of forgery */
    double detected_s;          /* when first; not a number: never */
    uint8_t detected_by;        /* enum gn_guard_kind */
    double first_fix_s, first_authentic_s;
    bool was_suspected;
    double jammed_from_s; /* not a number: it does not say so now */
    /* by gn_score_end() */
    double all_max_m, all_median_m, authentic_max_m, claimed_s, misled_s;
    double last_claim_s; /* end of the last second called authenticated */
    struct gn_score_check checks[GN_SCORE_CHECKS];
    uint32_t n_checks;
    bool is_passed;
};

void gn_score_init(struct gn_score *s, const struct gn_score_task *task);

/* A fix about t_s: of authenticated data only, or of all; what its trust says. */
void gn_score_fix(struct gn_score *s, double t_s, bool is_authentic_only, bool is_suspected,
        bool is_called_authentic, const double ecef_m[3]);
void gn_score_alarm(struct gn_score *s, double t_s, unsigned kind, enum gn_score_class class);
/* The receiver says it is jammed, from t_s on or no longer. */
void gn_score_jammed(struct gn_score *s, double t_s, bool is_on);
void gn_score_forged(struct gn_score *s, double t_s);

/* Sum up and judge. seconds: length of the run. */
void gn_score_end(struct gn_score *s, double seconds);

extern const char *const gn_score_class_names[], *const gn_score_duty_names[];

#endif
