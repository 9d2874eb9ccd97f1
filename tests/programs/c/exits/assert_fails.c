// A failing assertion: the message on standard error, and what was printed before it is lost.
#include <assert.h>
#include <stdio.h>

static int half(int n) {
    assert(n % 2 == 0);
    return n / 2;
}

int main(void) {
    printf("%d\n", half(4));
    printf("%d\n", half(5));
    return 0;
}
