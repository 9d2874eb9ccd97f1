// A command with options, a usage text on stderr and distinct exit statuses.
//@ run: help
//@ args: --help
//@ run: no arguments
//@ run: unknown option
//@ args: -z
//@ run: bad number
//@ args: -n ten word
//@ run: good
//@ args: -n 3 -s - word other
//@ run: too many
//@ args: -n 99999999999999999999 word
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void usage(FILE *out, int status) {
    fputs("usage: repeat [-n COUNT] [-s SEPARATOR] WORD...\n", out);
    exit(status);
}

int main(int argc, char **argv) {
    long repetitions = 1;
    const char *separator = " ";
    int at = 1;
    for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
        if (!strcmp(argv[at], "--help")) usage(stdout, 0);
        if (!strcmp(argv[at], "-s") && at + 1 < argc) { separator = argv[++at]; continue; }
        if (!strcmp(argv[at], "-n") && at + 1 < argc) {
            char *end;
            errno = 0;
            repetitions = strtol(argv[++at], &end, 10);
            if (*end || end == argv[at]) { fprintf(stderr, "repeat: not a number: %s\n", argv[at]); return 65; }
            if (errno == ERANGE) { fprintf(stderr, "repeat: too large: %s\n", argv[at]); return 66; }
            continue;
        }
        fprintf(stderr, "repeat: unknown option %s\n", argv[at]);
        usage(stderr, 64);
    }
    if (at == argc) usage(stderr, 64);
    for (; at < argc; at++) {
        for (long i = 0; i < repetitions; i++) printf("%s%s", i ? separator : "", argv[at]);
        putchar('\n');
    }
    return 0;
}
