/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A score card as text and as JSON. */
#include "cli/lab.h"
#include "core/text/json.h"

#include <math.h>

static const char *kind_word(unsigned kind)
{
    return kind > 0 && kind < GN_GUARD_KIND_COUNT ? gn_guard_names[kind]
                                                  : "verdict of the fix or the data";
}

/* One decimal, or a dash for what never came. */
static const char *number(char text[32], double value)
{
    if (isnan(value))
        return "-";
    (void)snprintf(text, 32, "%.1f", value);
    return text;
}

#define N(value) number((char[32]){0}, (value))

static void print_detection(const struct lab_scenario *sc, const struct gn_score *s, FILE *to)
{
    const struct gn_score_task *t = &sc->task;
    if (isnan(t->attack_s[0])) {
        (void)fprintf(to, "  attack       none\n");
        return;
    }
    (void)fprintf(to, "  attack       %.1f to %.1f s, %s; an alarm is %s\n", t->attack_s[0],
            t->attack_s[1], gn_score_class_names[t->about], gn_score_duty_names[t->duty]);
    if (!isnan(s->detected_s))
        (void)fprintf(to, "  detected     after %.1f s by %s\n", s->detected_s - t->attack_s[0],
                kind_word(s->detected_by));
    else
        (void)fprintf(to, "  detected     no%s\n",
                t->duty == GN_SCORE_IMPOSSIBLE ? " (and no receiver could from the signal alone)"
                                               : "");
}

void lab_print_text(const struct lab_scenario *sc, const struct gn_score *s, FILE *to)
{
    (void)fprintf(to, "%s: %s\n  %s\n", sc->name, s->is_passed ? "as demanded" : "NOT AS DEMANDED",
            sc->title);
    print_detection(sc, s, to);
    (void)fprintf(to, "  first fix    %s s, authenticated %s s\n", N(s->first_fix_s),
            N(s->first_authentic_s));
    (void)fprintf(to, "  error        median %s m, most %s m; authenticated only: most %s m\n",
            N(s->all_median_m), N(s->all_max_m), N(s->authentic_max_m));
    (void)fprintf(to, "  misled       %.0f s wrong by more than %.0f m without a warning\n",
            s->misled_s, sc->task.limit_m);
    (void)fprintf(to, "  alarms       %u false; forged %u\n", s->n_false, s->n_forged);
    for (uint32_t i = 0; i < s->n_alarms; i++)
        (void)fprintf(to, "    %7.1f s  %s%s\n", s->alarms[i].t_s, kind_word(s->alarms[i].kind),
                s->alarms[i].is_false ? " (false)" : "");
    for (uint32_t i = 0; i < s->n_checks; i++)
        (void)fprintf(to, "  %s %s: %s, at most %s\n",
                s->checks[i].is_good ? "good:" : "BAD: ", s->checks[i].name, N(s->checks[i].value),
                N(s->checks[i].limit));
    (void)fputc('\n', to);
}

static void pair(FILE *to, const char *key, double value)
{
    (void)fprintf(to, ", \"%s\": ", key);
    if (isnan(value))
        (void)fputs("null", to);
    else
        (void)fprintf(to, "%.3f", value);
}

static void series(FILE *to, const struct gn_score *s, const char *key, bool is_authentic)
{
    (void)fprintf(to, ",\n  \"%s\": [", key);
    for (uint32_t i = 0; i < s->n_seconds; i++) {
        double v = (double)(is_authentic ? s->seconds[i].authentic_m : s->seconds[i].all_m);
        (void)fputs(i > 0 ? ", " : "", to);
        if (isnan(v))
            (void)fputs("null", to);
        else
            (void)fprintf(to, "%.2f", v);
    }
    (void)fputs("]", to);
}

static void print_alarms(FILE *to, const struct gn_score *s)
{
    (void)fputs(",\n  \"alarms\": [", to);
    for (uint32_t i = 0; i < s->n_alarms; i++) {
        const struct gn_score_alarm *a = &s->alarms[i];
        (void)fprintf(to, "%s{\"t_s\": %.3f, \"kind\": ", i > 0 ? ", " : "", a->t_s);
        gn_json_text(to, a->kind != 0 ? gn_guard_names[a->kind] : "trust");
        (void)fprintf(to, ", \"about\": \"%s\", \"false\": %s}", gn_score_class_names[a->class],
                a->is_false ? "true" : "false");
    }
    (void)fputs("],\n  \"checks\": [", to);
    for (uint32_t i = 0; i < s->n_checks; i++) {
        (void)fputs(i > 0 ? ", {" : "{", to);
        gn_json_pair(to, "name", s->checks[i].name);
        pair(to, "value", s->checks[i].value);
        pair(to, "limit", s->checks[i].limit);
        (void)fprintf(to, ", \"good\": %s}", s->checks[i].is_good ? "true" : "false");
    }
    (void)fputs("]", to);
}

void lab_print_json(const struct lab_scenario *sc, const struct gn_score *s, FILE *to)
{
    const struct gn_score_task *t = &sc->task;
    (void)fputs("{", to);
    gn_json_pair(to, "scenario", sc->name);
    (void)fputs(", ", to);
    gn_json_pair(to, "title", sc->title);
    (void)fputs(", ", to);
    gn_json_pair(to, "about", gn_score_class_names[t->about]);
    (void)fputs(", ", to);
    gn_json_pair(to, "detect", gn_score_duty_names[t->duty]);
    (void)fprintf(to, ", \"passed\": %s,\n  \"detected\": %s", s->is_passed ? "true" : "false",
            isnan(s->detected_s) ? "false" : "true");
    pair(to, "attack_begin_s", t->attack_s[0]);
    pair(to, "attack_end_s", t->attack_s[1]);
    pair(to, "detected_after_s", s->detected_s - t->attack_s[0]);
    pair(to, "first_fix_s", s->first_fix_s);
    pair(to, "first_authenticated_s", s->first_authentic_s);
    pair(to, "error_median_m", s->all_median_m);
    pair(to, "error_max_m", s->all_max_m);
    pair(to, "authenticated_error_max_m", s->authentic_max_m);
    pair(to, "called_authenticated_s", s->claimed_s);
    pair(to, "misled_s", s->misled_s);
    (void)fprintf(to, ", \"false_alarms\": %u, \"forged\": %u", s->n_false, s->n_forged);
    print_alarms(to, s);
    series(to, s, "error_m", false);
    series(to, s, "authenticated_error_m", true);
    (void)fputs("}", to);
}
