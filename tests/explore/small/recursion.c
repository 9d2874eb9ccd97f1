// The greatest common divisor of two small numbers, and how deep it went.
//@ explore: --sym-stdin 2
//@ run: some
//@ stdin: li
#include <stdio.h>

static int depth;

static int divisor(int a, int b) {
    depth++;
    return b == 0 ? a : divisor(b, a % b);
}

int main(void) {
    int a = getchar(), b = getchar();
    if (a < 'a' || a > 'p' || b < 'a' || b > 'p') return 1;
    int common = divisor(a - 'a', b - 'a');
    if (common == 1) puts("coprime");
    if (depth > 4) puts("deep");
    printf("%d\n", depth);
    return 0;
}
