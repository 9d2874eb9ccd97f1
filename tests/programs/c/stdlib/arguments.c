// argc and argv: quoting, empty arguments, bytes above 127, terminating null.
//@ run: none
//@ run: several
//@ args: one "two words" "" 'single "quoted"' tab\tinside
//@ run: numbers
//@ args: -17 0x20 1e3 üñí
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    printf("%d %d\n", argc, argv[argc] == NULL);
    unsigned hash = 0;
    for (int i = 1; i < argc; i++) {
        printf("%d [%s] %zu", i, argv[i], strlen(argv[i]));
        for (unsigned char *p = (unsigned char *)argv[i]; *p; p++) hash = hash * 31 + *p;
        printf(" %ld %g\n", strtol(argv[i], NULL, 0), strtod(argv[i], NULL));
    }
    if (argc > 1) argv[1][0] = '!', puts(argv[1]);
    printf("%08x\n", hash);
    return argc;
}
