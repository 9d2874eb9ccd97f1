// longjmp from two calls deep, with a value that depends on the input.
//@ explore: --sym-stdin 1
//@ run: jumps
//@ stdin: #
//@ run: returns
//@ stdin: c
#include <setjmp.h>
#include <stdio.h>

static jmp_buf failed;

static int digit(int c) {
    if (c < 'a') longjmp(failed, c < '!' ? 1 : 2);
    if (c > 'f') longjmp(failed, 3);
    return c - 'a' + 10;
}

static int parse(int c) { return digit(c) * 2; }

int main(void) {
    int c = getchar();
    switch (setjmp(failed)) {
    case 0:
        printf("%d\n", parse(c) > 24);
        return 0;
    case 1:
        puts("too low");
        return 1;
    case 2:
        puts("no letter");
        return 2;
    default:
        puts("too high");
        return 3;
    }
}
