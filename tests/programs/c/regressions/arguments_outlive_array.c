// An argument list that is begun beside a variable-length array is still there when the array is gone.
#include <stdarg.h>
#include <stdio.h>

static int first_of(int count, ...) {
    va_list arguments;
    {
        volatile char buffer[count];
        buffer[0] = 1;
        va_start(arguments, count);
    }
    int first = va_arg(arguments, int);
    int second = va_arg(arguments, int);
    va_end(arguments);
    return 10 * first + second;
}

int main(void) {
    printf("%d\n", first_of(3, 4, 2));
    return 0;
}
