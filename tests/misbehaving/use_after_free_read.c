// Reads a list node after it was freed.
//@ outcome: use-after-free
//@ stack: free_list main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static int free_list(struct node *head) {
    int count = 0;
    for (struct node *n = head; n; n = n->next) { // ERROR
        free(n);
        count++;
    }
    return count;
}

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i, n->next = head, head = n;
    }
    printf("%d\n", free_list(head));
    return 0;
}
