// A calculator in postfix notation: the swap looks at two values when there may be one.
//@ explore: --sym-stdin 6
//@ outcome: out-of-bounds
//@ stack: swap main
//@ sanitizer: undefined
//@ run: witness
//@ stdin: =12+~;
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00
#include <stdio.h>

static int values[4];
static int top;

static void swap(void) {
    int upper = values[top - 1];
    values[top - 1] = values[top - 2]; // ERROR
    values[top - 2] = upper;
}

static int combine(int operator) {
    if (top < 2) return -1;
    int right = values[--top], left = values[--top];
    values[top++] = operator == '+' ? left + right : left - right;
    return 0;
}

int main(void) {
    int c;
    if (getchar() != '=') {
        puts("no expression");
        return 1;
    }
    while ((c = getchar()) != ';') {
        if (c >= '0' && c <= '9') {
            if (top == 4) return 2;
            values[top++] = c - '0';
        } else if (c == '+' || c == '-') {
            if (combine(c)) return 3;
        } else if (c == '~') {
            if (top == 0) return 4;
            swap();
        } else {
            return 5;
        }
    }
    if (top != 1) return 6;
    printf("%d\n", values[0]);
    return 0;
}
