// Comparisons of doubles made from a byte, with an infinity and a NaN among them.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: d
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    double x = (signed char)c;
    double half = x / 2;
    double strange = half / (x - 7);
    if (half > 20.25) puts("large");
    if (half * half == 100) puts("ten");
    if (strange != strange) puts("not a number");
    if (strange > 1e300) puts("infinite");
    if (strange < 0.5 && strange > 0.45) puts("near a half");
    return 0;
}
