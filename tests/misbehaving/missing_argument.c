// A variadic function reads a string argument that the caller did not pass as a pointer.
//@ outcome: wild-dereference
//@ stack: join main
//@ sanitizer: address
#include <stdarg.h>
#include <stdio.h>

static int join(int count, ...) {
    va_list list;
    int length = 0;
    va_start(list, count);
    while (count--) {
        const char *text = va_arg(list, const char *);
        while (*text) text++, length++; // ERROR
    }
    va_end(list);
    return length;
}

int main(void) {
    printf("%d\n", join(2, "one", "three"));
    fflush(stdout);
    printf("%d\n", join(2, "one", 0x7123456789abcdefL));
    return 0;
}
