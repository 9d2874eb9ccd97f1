// setjmp and longjmp: error recovery through frames, retry loops, nested handlers, values.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf *handler;
static int depth_reached;

static void raise_error(int code) { longjmp(*handler, code); }
static void descend(int n, int code) {
    volatile int local[8] = {n};
    depth_reached = n;
    if (n == 0) raise_error(code);
    descend(n - 1, code);
    printf("never %d\n", local[0]);
}
static int protect(void (*body)(int, int), int n, int code) {
    jmp_buf here, *outer = handler;
    handler = &here;
    int caught = setjmp(here);
    if (caught == 0) body(n, code);
    handler = outer;
    return caught;
}
static void nested(int n, int code) {
    int caught = protect(descend, n, code);
    printf("inner %d at %d\n", caught, depth_reached);
    raise_error(caught * 2);
}

int main(void) {
    for (int i = 1; i < 4; i++) printf("caught %d\n", protect(descend, i * 10, i * 100));
    printf("outer %d\n", protect(nested, 5, 21));
    jmp_buf loop;
    volatile int attempts = 0;
    switch (setjmp(loop)) {
    case 0: puts("first"); longjmp(loop, 0);
    case 1: case 2: case 3:
        printf("attempt %d\n", attempts);
        longjmp(loop, ++attempts);
    case 4: puts("fourth"); longjmp(loop, -5);
    case -5: puts("last"); break;
    default: puts("unexpected");
    }
    return 0;
}
