// An assertion about the input does not hold.
//@ outcome: assert
//@ stack: pop main
//@ sanitizer: none(a failed assertion is no memory error; the native run aborts)
#include <assert.h>
#include <stdio.h>

static int stack[4], depth;

static int pop(void) {
    assert(depth > 0); // ERROR
    return stack[--depth];
}

int main(void) {
    stack[depth++] = 9;
    printf("%d\n", pop());
    fflush(stdout);
    return pop();
}
