// assertions that hold, side effects under assert, static assertions, NDEBUG off.
#include <assert.h>
#include <stdio.h>

static_assert(sizeof(int) == 4, "int has four bytes");
static int evaluated;
static int check(int n) { evaluated++; assert(n > 0); return n; }

int main(void) {
    int total = 0;
    for (int i = 1; i < 100; i++) total += check(i);
    assert(total == 4950 && "sum of the first integers");
    assert((evaluated++, 1));
    const char *text = "non-null";
    assert(text);
    printf("%d %d\n", total, evaluated);
    return 0;
}
