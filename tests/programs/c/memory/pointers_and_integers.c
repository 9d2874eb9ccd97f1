// Pointer/integer round trips, tagged pointers, differences, comparison, XOR linked list.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node { long value; uintptr_t link; };

int main(void) {
    int array[16];
    for (int i = 0; i < 16; i++) array[i] = i * i;
    uintptr_t first = (uintptr_t)array, last = (uintptr_t)&array[15];
    printf("%d %d\n", (int)(last - first), *(int *)(first + 5 * sizeof(int)));
    long *cell = malloc(sizeof *cell);
    *cell = 1234;
    uintptr_t tagged = (uintptr_t)cell | 5;
    printf("%ld %d\n", *(long *)(tagged & ~(uintptr_t)7), (int)(tagged & 7));
    free(cell);
    struct node *nodes = calloc(10, sizeof *nodes);
    for (int i = 0; i < 10; i++) {
        uintptr_t before = i > 0 ? (uintptr_t)&nodes[i - 1] : 0, after = i < 9 ? (uintptr_t)&nodes[i + 1] : 0;
        nodes[i].value = i * 3, nodes[i].link = before ^ after;
    }
    uintptr_t previous = 0;
    for (struct node *n = nodes; n;) {
        printf("%ld ", n->value);
        struct node *next = (struct node *)(n->link ^ previous);
        previous = (uintptr_t)n, n = next;
    }
    printf("\n%d %d %d\n", &nodes[3] < &nodes[4], &nodes[9] - nodes == 9, (char *)&nodes[1] - (char *)nodes == sizeof *nodes);
    free(nodes);
    unsigned char raw[sizeof(int *)];
    int *p = &array[7], *q;
    for (size_t i = 0; i < sizeof p; i++) raw[i] = ((unsigned char *)&p)[i];
    for (size_t i = 0; i < sizeof p; i++) ((unsigned char *)&q)[i] = raw[i];
    printf("%d %d\n", *q, p == q);
    void *generic = &array[2];
    printf("%d %d\n", *(int *)generic, (int *)generic + 1 == &array[3]);
    return 0;
}
