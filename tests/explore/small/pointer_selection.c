// A pointer that points to one of four objects, read and written through.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: k
#include <stdio.h>

static int counter = 10;

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    int first = 1, second = 2, pair[2] = {3, 4};
    int *chosen = &counter;
    if (c & 1) chosen = &first;
    if (c & 2) chosen = c & 4 ? &second : &pair[c >> 3 & 1];
    *chosen += 100;
    if (counter > 100) puts("global");
    else if (first > 100) puts("first");
    else if (second > 100) puts("second");
    else puts(pair[0] > 100 ? "pair 0" : "pair 1");
    return *chosen == 104;
}
