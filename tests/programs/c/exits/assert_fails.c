// A failing assertion: the two C libraries word the message differently, so only its facts are compared.
//@ stderr: assertion
#include <assert.h>
#include <stdio.h>

static int half(int n) {
    assert(n % 2 == 0);
    return n / 2;
}

int main(void) {
    printf("%d\n", half(4));
    fflush(stdout);
    printf("%d\n", half(5));
    return 0;
}
