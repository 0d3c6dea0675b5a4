/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* A score card as a picture: error over time on a logarithmic scale, the attack, the alarms. */
#include "cli/lab.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* pixels */
#define WIDTH  760.0
#define HEIGHT 300.0
#define LEFT   60.0
#define TOP    50.0
#define PLOT_W (WIDTH - LEFT - 20)
#define PLOT_H (HEIGHT - TOP - 40)
/* decades of metres: 0.1 m to 100 km */
#define DECADE_0 (-1.0)
#define DECADE_1 5.0

static double x_of(const struct gn_score *s, double t_s)
{
    double n = s->n_seconds > 0 ? s->n_seconds : 1;
    return LEFT + PLOT_W * fmin(fmax(t_s / n, 0), 1);
}

static double y_of(double error_m)
{
    double decade = log10(fmax(error_m, 1e-3));
    double y = (decade - DECADE_0) / (DECADE_1 - DECADE_0);
    return TOP + PLOT_H * (1 - fmin(fmax(y, 0), 1));
}

static void text(FILE *to, const char *s)
{
    for (; *s != '\0'; s++) {
        if (*s == '<')
            (void)fputs("&lt;", to);
        else if (*s == '&')
            (void)fputs("&amp;", to);
        else
            (void)fputc(*s, to);
    }
}

static void frame(FILE *to, const struct lab_scenario *sc, const struct gn_score *s)
{
    (void)fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"%.0f\" y=\"20\" "
            "font-size=\"15\">",
            WIDTH, HEIGHT, LEFT);
    text(to, sc->name);
    (void)fprintf(to, ": %s</text>\n<text x=\"%.0f\" y=\"38\" fill=\"#555\">",
            s->is_passed ? "as demanded" : "NOT as demanded", LEFT);
    text(to, sc->title);
    (void)fputs("</text>\n", to);
    for (int d = (int)DECADE_0; d <= (int)DECADE_1; d++) {
        double y = y_of(pow(10, d));
        (void)fprintf(to,
                "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%.1f\" "
                "text-anchor=\"end\">%g m</text>\n",
                LEFT, y, LEFT + PLOT_W, LEFT - 6, y + 4, pow(10, d));
    }
    for (uint32_t t = 0; t <= s->n_seconds; t += s->n_seconds > 240 ? 60 : 20)
        (void)fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%u s</text>\n",
                x_of(s, t), TOP + PLOT_H + 18, t);
}

static void curve(FILE *to, const struct gn_score *s, bool is_authentic, const char *colour)
{
    bool is_down = false;
    (void)fputs("<path fill=\"none\" stroke-width=\"1.6\" stroke=\"", to);
    (void)fprintf(to, "%s\" d=\"", colour);
    for (uint32_t i = 0; i < s->n_seconds; i++) {
        double v = (double)(is_authentic ? s->seconds[i].authentic_m : s->seconds[i].all_m);
        if (!isnan(v))
            (void)fprintf(to, "%c%.1f %.1f", is_down ? 'L' : 'M', x_of(s, i + 0.5), y_of(v));
        is_down = !isnan(v);
    }
    (void)fputs("\"/>\n", to);
}

static void marks(FILE *to, const struct gn_score *s)
{
    const struct gn_score_task *t = &s->task;
    if (!isnan(t->attack_s[0]))
        (void)fprintf(to,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#fde2d8\"/>\n",
                x_of(s, t->attack_s[0]), TOP, x_of(s, t->attack_s[1]) - x_of(s, t->attack_s[0]),
                PLOT_H);
    for (uint32_t i = 0; i < s->n_seconds; i++)
        if (s->seconds[i].is_suspected)
            (void)fprintf(to,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"6\" fill=\"#d9480f\"/>\n",
                    x_of(s, i), TOP, x_of(s, i + 1) - x_of(s, i));
    for (uint32_t i = 0; i < s->n_alarms; i++)
        (void)fprintf(to, "<path d=\"M%.1f %.1fv%.1f\" stroke=\"%s\" stroke-dasharray=\"3 3\"/>\n",
                x_of(s, s->alarms[i].t_s), TOP, PLOT_H, s->alarms[i].is_false ? "#f0a" : "#d9480f");
}

int lab_write_svg(const char *folder, const struct lab_scenario *sc, const struct gn_score *s)
{
    char path[LAB_PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%s.svg", folder, sc->name);
    FILE *to = n > 0 && (size_t)n < sizeof path ? fopen(path, "wb") : NULL;
    if (to == NULL)
        return cli_fail(CLI_OUTPUT, "%s cannot be written: %s", path, strerror(errno));
    frame(to, sc, s);
    marks(to, s);
    curve(to, s, false, "#1c7ed6");
    curve(to, s, true, "#2b8a3e");
    (void)fprintf(to,
            "<text x=\"%.0f\" y=\"%.0f\"><tspan fill=\"#1c7ed6\">all</tspan> "
            "<tspan fill=\"#2b8a3e\">authenticated</tspan> <tspan fill=\"#d9480f\">attack, alarms, "
            "suspected</tspan></text>\n</svg>\n",
            LEFT, HEIGHT - 4);
    bool is_bad = ferror(to) != 0;
    is_bad = fclose(to) != 0 || is_bad;
    return is_bad ? cli_fail(CLI_OUTPUT, "%s could not be written completely", path) : CLI_OK;
}
