/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "cli/draw.h"

#include <stdlib.h>
#include <string.h>

/* pixels */
#define BOX_W   150
#define BOX_H   46
#define STEP_X  230
#define STEP_Y  84
#define MARGIN  30

struct place {
    uint32_t layer, row;
};

static void svg_text(FILE *to, const char *s)
{
    for (; *s != '\0'; s++) {
        if (*s == '<')
            (void)fputs("&lt;", to);
        else if (*s == '>')
            (void)fputs("&gt;", to);
        else if (*s == '&')
            (void)fputs("&amp;", to);
        else if ((unsigned char)*s >= 0x20)
            (void)fputc(*s, to);
    }
}

/* Longest way over forward edges. Streams have no circles; of the messages those count that go from an
 * earlier block of the file to a later one, so the order of the file decides which way is forward. */
static uint32_t find_layers(const struct gn_graph *g, struct place *p)
{
    uint32_t n_layers = 1;
    bool is_news = true;

    for (uint32_t round = 0; is_news && round <= g->n_nodes; round++) {
        is_news = false;
        for (uint32_t i = 0; i < g->n_edges; i++) {
            const struct gn_edge *e = &g->edges[i];
            bool is_forward = cli_edge_is_stream(g, e) || e->from < e->to;
            if (!is_forward || p[e->to].layer > p[e->from].layer || p[e->from].layer + 1 > g->n_nodes)
                continue;
            p[e->to].layer = p[e->from].layer + 1;
            n_layers = p[e->to].layer + 1 > n_layers ? p[e->to].layer + 1 : n_layers;
            is_news = true;
        }
    }
    return n_layers;
}

static uint32_t find_rows(const struct gn_graph *g, struct place *p, uint32_t n_layers)
{
    uint32_t n_rows = 1;

    for (uint32_t l = 0; l < n_layers; l++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < g->n_nodes; i++) {
            if (p[i].layer == l)
                p[i].row = n++;
        }
        n_rows = n > n_rows ? n : n_rows;
    }
    return n_rows;
}

static void draw_box(FILE *to, const struct gn_node *n, const struct place *p)
{
    uint32_t x = MARGIN + p->layer * STEP_X, y = MARGIN + p->row * STEP_Y;

    for (uint32_t k = n->n_instances > 1 ? 3 : 1; k-- > 0;) {
        (void)fprintf(to, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" rx=\"6\" class=\"block\"/>\n", x + 4 * k,
                y + 4 * k, BOX_W, BOX_H);
    }
    (void)fprintf(to, "<text x=\"%u\" y=\"%u\" class=\"name\">", x + BOX_W / 2, y + 20);
    svg_text(to, n->name);
    if (n->n_instances > 1)
        (void)fprintf(to, " &#215; %u", n->n_instances);
    (void)fprintf(to, "</text>\n<text x=\"%u\" y=\"%u\" class=\"use\">", x + BOX_W / 2, y + 36);
    svg_text(to, n->block->name);
    (void)fputs("</text>\n", to);
}

static void draw_edge(FILE *to, const struct gn_graph *g, const struct gn_edge *e, const struct place *p, uint32_t i)
{
    const struct place *a = &p[e->from], *b = &p[e->to];
    bool is_back = b->layer <= a->layer;
    int x0 = MARGIN + (int)a->layer * STEP_X + BOX_W, y0 = MARGIN + (int)a->row * STEP_Y + BOX_H / 2;
    int x1 = MARGIN + (int)b->layer * STEP_X, y1 = MARGIN + (int)b->row * STEP_Y + BOX_H / 2;
    int bend = is_back ? 60 + 6 * (int)(i % 5) : 40, drop = is_back ? 46 + 5 * (int)(i % 4) : 0;

    y0 += (int)(i % 3) * 8 - 8;
    y1 += (int)(i % 3) * 8 - 8;
    (void)fprintf(to, "<path d=\"M%d %d C%d %d %d %d %d %d\" class=\"%s\" marker-end=\"url(#tip)\"/>\n", x0, y0, x0 + bend,
            y0 + drop, x1 - bend, y1 + drop, x1, y1, cli_edge_is_stream(g, e) ? "stream" : "message");
    (void)fprintf(to, "<text x=\"%d\" y=\"%d\" class=\"port\">", x0 + 6, y0 - 3);
    svg_text(to, g->nodes[e->from].block->ports[e->from_port].name);
    (void)fputs("</text>\n", to);
}

void cli_draw_svg(const struct gn_graph *g, FILE *to)
{
    struct place *p = calloc(g->n_nodes + 1, sizeof *p);

    if (p == NULL)
        return;
    uint32_t n_layers = find_layers(g, p), n_rows = find_rows(g, p, n_layers);
    (void)fprintf(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\">\n<title>",
            2 * MARGIN + (n_layers - 1) * STEP_X + BOX_W + 20, 2 * MARGIN + n_rows * STEP_Y);
    svg_text(to, g->name);
    (void)fputs("</title>\n<style>text{font-family:sans-serif;text-anchor:middle}.name{font-size:14px}"
                ".use{font-size:11px;fill:#555}.port{font-size:9px;fill:#555;text-anchor:start}"
                ".block{fill:#fff;stroke:#333}.stream{fill:none;stroke:#06c;stroke-width:2.5}"
                ".message{fill:none;stroke:#a50;stroke-dasharray:5 3}</style>\n"
                "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
                "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
                "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
            to);
    for (uint32_t i = 0; i < g->n_edges; i++)
        draw_edge(to, g, &g->edges[i], p, i);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        draw_box(to, &g->nodes[i], &p[i]);
    (void)fputs("</svg>\n", to);
    free(p);
}
