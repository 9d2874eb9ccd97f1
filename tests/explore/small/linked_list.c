// A list with one node for each set bit, then searched and freed.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: M
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    int c = getchar();
    if (c == EOF || c >= 128) return 9;
    struct node *head = NULL;
    for (int bit = 0; bit < 5; bit++) {
        if (!(c >> bit & 1)) continue;
        struct node *node = malloc(sizeof *node);
        node->value = bit + (c >> 5);
        node->next = head;
        head = node;
    }
    int length = 0, found = 0;
    while (head) {
        struct node *next = head->next;
        if (head->value == 4) found = 1;
        free(head);
        head = next;
        length++;
    }
    printf("%d %s\n", length, found ? "four" : "no four");
    return 0;
}
