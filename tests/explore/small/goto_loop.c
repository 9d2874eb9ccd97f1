// A loop made of labels, with an exit in its middle.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: +
#include <stdio.h>

int main(void) {
    int c = getchar(), steps = 0;
    if (c == EOF) return 9;
    unsigned x = (unsigned)c & 63;
again:
    if (x == 1) goto done;
    if (x == 0 || steps == 12) goto given_up;
    x = x & 1 ? 3 * x + 1 : x / 2;
    steps++;
    goto again;
given_up:
    puts("given up");
    return 1;
done:
    printf("%d\n", steps);
    return 0;
}
