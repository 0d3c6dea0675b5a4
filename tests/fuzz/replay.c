/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
/* Runs a fuzz target over files given by name. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define INPUT_MAX (4u << 20)

int main(int argc, char **argv)
{
    uint8_t *data = malloc(INPUT_MAX);

    if (data == NULL)
        return 1;
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL) {
            perror(argv[i]);
            free(data);
            return 1;
        }
        size_t n = fread(data, 1, INPUT_MAX, f);
        (void)fclose(f);
        (void)LLVMFuzzerTestOneInput(data, n);
    }
    free(data);
    (void)printf("%d inputs\n", argc - 1);
    return 0;
}
