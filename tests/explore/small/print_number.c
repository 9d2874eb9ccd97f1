// printf divides a symbolic number into digits.
//@ explore: --sym-stdin 1
//@ run: negative
//@ stdin: \x80
//@ run: positive
//@ stdin: e
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    int written = printf("%d\n", (signed char)c * 3);
    return written;
}
