// A function that takes as many arguments as its first says.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: 3
#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    while (count-- > 0) {
        int next = va_arg(list, int);
        if (next < 0) break;
        total += next;
    }
    va_end(list);
    return total;
}

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    int total = sum(c & 3, c >> 2, c > 'x' ? -1 : 10, 100);
    if (total > 110) puts("all three");
    else if (total >= 10) puts("two or a large one");
    else puts("little");
    return total == 0;
}
