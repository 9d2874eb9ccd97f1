// Reading the files the run supplies: line count, word count, concatenation, missing names.
//@ file: a.txt=alpha beta\ngamma\n\nlast line
//@ file: sub/b.txt=one\ttwo  three\n
//@ file: empty=
//@ args: a.txt sub/b.txt empty missing
#include <ctype.h>
#include <errno.h>
#include <stdio.h>

int main(int argc, char **argv) {
    long total[3] = {0};
    int failures = 0;
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "r");
        if (!f) {
            fprintf(stderr, "cannot open %s: %s\n", argv[i], errno == ENOENT ? "missing" : "other");
            failures++;
            continue;
        }
        long lines = 0, words = 0, bytes = 0;
        int c, inside = 0;
        while ((c = getc(f)) != EOF) {
            bytes++, lines += c == '\n';
            if (isspace(c)) inside = 0;
            else if (!inside) inside = 1, words++;
        }
        fclose(f);
        printf("%3ld %3ld %3ld %s\n", lines, words, bytes, argv[i]);
        total[0] += lines, total[1] += words, total[2] += bytes;
    }
    printf("%3ld %3ld %3ld total\n", total[0], total[1], total[2]);
    return failures;
}
