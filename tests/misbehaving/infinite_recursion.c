// Recursion whose end is never reached.
//@ outcome: stack-overflow
//@ stack: depth depth depth ... depth main
//@ sanitizer: address
#include <stdio.h>

struct node { struct node *parent; };

static int depth(const struct node *n) {
    return n->parent ? depth(n->parent) + 1 : 0; // ERROR
}

int main(void) {
    struct node root = {NULL}, child = {&root}, a = {NULL}, b = {&a};
    a.parent = &b;
    printf("%d\n", depth(&child));
    fflush(stdout);
    printf("%d\n", depth(&a));
    return 0;
}
