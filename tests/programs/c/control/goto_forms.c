// goto in and out of nested blocks, as loops and clean-up; computed goto interpreter.
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, SUB, JNZ, SWAP, PRINT, HALT };
static long interpret(const int *code) {
    static void *const label[] = {&&push, &&add, &&mul, &&dup, &&sub, &&jnz, &&swap, &&print, &&halt};
    long stack[32], *top = stack, steps = 0;
    const int *at = code;
#define NEXT steps++; goto *label[*at++]
    NEXT;
push: *top++ = *at++; NEXT;
add: top--, top[-1] += top[0]; NEXT;
mul: top--, top[-1] *= top[0]; NEXT;
dup: *top = top[-1], top++; NEXT;
sub: top--, top[-1] -= top[0]; NEXT;
jnz: { int target = *at++; if (top[-1]) at = code + target; } NEXT;
swap: { long t = top[-1]; top[-1] = top[-2], top[-2] = t; } NEXT;
print: printf("%ld\n", *--top); NEXT;
halt: return steps;
}
static int cleanup(int fail) {
    int acquired = 0;
    acquired += 1;
    if (fail == 1) goto one;
    acquired += 10;
    if (fail == 2) goto two;
    acquired += 100;
    if (fail == 3) goto three;
    return acquired;
three: acquired -= 100;
two: acquired -= 10;
one: acquired -= 1;
    return -acquired - fail;
}

int main(void) {
    static const int countdown[] = {PUSH, 1, PUSH, 10, DUP, JNZ, 9, PRINT, HALT,
                                    SWAP, PUSH, 3, MUL, SWAP, PUSH, 1, SUB, JNZ, 9, SWAP, PRINT, HALT};
    printf("%ld\n", interpret(countdown));
    for (int i = 0; i < 5; i++) printf("%d ", cleanup(i));
    int n = 27, steps = 0;
again:
    if (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; goto again; }
    printf("%d\n", steps);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            if (i * j == 42) { printf("%d*%d\n", i, j); goto found; }
    puts("none");
found:;
    int inside = 0;
    goto middle;
    for (; inside < 3; inside++) { middle: printf("in%d ", inside); }
    putchar('\n');
    return 0;
}
