// The input chooses the function that is called.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: 6
#include <stdio.h>

static int keep(int x) { return x; }
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int sign(int x) { return x < 4 ? -1 : 1; }

static int (*const steps[4])(int) = {keep, twice, square, sign};

int main(void) {
    int c = getchar();
    if (c < '0' || c > '7') return 9;
    int x = c - '0';
    int result = steps[x & 3](x);
    int (*last)(int) = result > 5 ? sign : keep;
    printf("%d\n", last(x) > 0);
    return result == 12 ? 2 : 0;
}
