// Every ctype predicate and mapping for all unsigned char values and EOF.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    static int (*const predicates[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit};
    enum { COUNT = sizeof predicates / sizeof *predicates };
    int totals[COUNT] = {0};
    unsigned hash = 0;
    for (int c = -1; c < 128; c++) {
        unsigned bits = 0;
        for (int p = 0; p < COUNT; p++)
            if (predicates[p](c)) bits |= 1u << p, totals[p]++;
        hash = hash * 33 + bits;
        printf("%03x%c", bits, c % 16 == 15 ? '\n' : ' ');
    }
    for (int p = 0; p < COUNT; p++) printf("%d ", totals[p]);
    printf("\n%08x\n", hash);
    for (int c = 0; c < 128; c++) {
        if (toupper(c) != c) putchar(toupper(c));
        if (tolower(c) != c) putchar(tolower(c));
    }
    printf("\n%d %d %d\n", toupper(EOF), toascii(0xc1), isascii(200) != 0);
    for (const char *p = "Mixed CASE 123\t!"; *p; p++) putchar(isupper((unsigned char)*p) ? tolower(*p) : islower((unsigned char)*p) ? toupper(*p) : '.');
    putchar('\n');
    return 0;
}
