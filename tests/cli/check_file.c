/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Runs `gnomon check` on flowgraphs and compares with what their first lines ask for:
 *
 *   # expect 5:12 words        an error at line 5, column 12 of this file whose message has these words
 *   # expect -p:1:6 words      the same in another text
 *   # suggest word             of the error before: "did you mean 'word'?" follows it
 *   # args -p a=b              further words of the command line
 *   # exit 3                   instead of 2 (0 without any expect)
 *
 * usage: check_file GNOMON FILE... */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define OUTPUT_MAX 65536

static char output[OUTPUT_MAX];

static bool run(const char *program, const char *file, const char *args, int *code)
{
    char command[8192];

    (void)snprintf(command, sizeof command, "'%s' check '%s' %s 2>&1", program, file, args);
    FILE *p = popen(command, "r");
    if (p == NULL)
        return false;
    size_t n = fread(output, 1, sizeof output - 1, p);
    output[n] = '\0';
    int status = pclose(p);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return true;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)) != NULL; p++)
        n++;
    return n;
}

/* The message at that place, NULL when there is none. */
static const char *find_message(const char *file, const char *where, const char *words)
{
    char head[4600];
    bool has_name = where[0] < '0' || where[0] > '9';

    (void)snprintf(head, sizeof head, "%s%s%s: error: ", has_name ? "" : file, has_name ? "" : ":", where);
    for (const char *p = output; (p = strstr(p, head)) != NULL; p++) {
        const char *end = strchr(p, '\n'), *hit = strstr(p, words);
        if (hit != NULL && (end == NULL || hit < end))
            return p;
    }
    return NULL;
}

static bool has_suggestion(const char *message, const char *word)
{
    char want[1200];
    const char *own = strstr(message, ": error: "), *next = own != NULL ? strstr(own + 1, ": error: ") : NULL;

    (void)snprintf(want, sizeof want, "did you mean '%s'?", word);
    const char *hit = strstr(message, want);
    return hit != NULL && (next == NULL || hit < next);
}

struct wish {
    char args[1024];
    int code, n_errors;
};

static bool check_line(const char *file, char *line, struct wish *wish, const char **message, bool is_second)
{
    char *words = strchr(line + 9, ' ');

    if (strncmp(line, "# expect ", 9) == 0 && words != NULL) {
        wish->n_errors++;
        *words++ = '\0';
        if (is_second && (*message = find_message(file, line + 9, words)) == NULL) {
            (void)printf("%s: no error at %s with: %s\n", file, line + 9, words);
            return false;
        }
    } else if (strncmp(line, "# suggest ", 10) == 0) {
        if (is_second && *message != NULL && !has_suggestion(*message, line + 10)) {
            (void)printf("%s: no suggestion '%s'\n", file, line + 10);
            return false;
        }
    } else if (strncmp(line, "# args ", 7) == 0) {
        (void)snprintf(wish->args, sizeof wish->args, "%s", line + 7);
    } else if (strncmp(line, "# exit ", 7) == 0) {
        wish->code = atoi(line + 7);
    }
    return true;
}

/* First pass: arguments and exit code. Second: the messages. */
static bool read_wishes(const char *file, struct wish *wish, bool is_second)
{
    char line[1024];
    const char *message = NULL;
    bool is_good = true;
    FILE *f = fopen(file, "r");

    if (f == NULL)
        return false;
    wish->n_errors = 0;
    while (fgets(line, sizeof line, f) != NULL && line[0] == '#') {
        line[strcspn(line, "\n")] = '\0';
        is_good = check_line(file, line, wish, &message, is_second) && is_good;
    }
    (void)fclose(f);
    return is_good;
}

static bool check(const char *program, const char *file)
{
    struct wish wish = {.code = -1};
    int code = -1;

    if (!read_wishes(file, &wish, false))
        return false;
    int want = wish.code >= 0 ? wish.code : (wish.n_errors > 0 ? 2 : 0);
    if (!run(program, file, wish.args, &code))
        return false;
    bool is_good = read_wishes(file, &wish, true);
    if (code != want) {
        (void)printf("%s: exit %d, not %d\n", file, code, want);
        is_good = false;
    }
    if (count(output, ": error: ") != wish.n_errors) {
        (void)printf("%s: %d errors, not %d\n", file, count(output, ": error: "), wish.n_errors);
        is_good = false;
    }
    if (!is_good)
        (void)printf("---- output:\n%s----\n", output);
    return is_good;
}

int main(int argc, char **argv)
{
    int n_bad = 0;

    for (int i = 2; i < argc; i++)
        n_bad += check(argv[1], argv[i]) ? 0 : 1;
    (void)printf("%d flowgraphs, %d wrong\n", argc - 2, n_bad);
    return argc > 2 && n_bad == 0 ? 0 : 1;
}
