// qsort_r with a context, sorting indices, and a stable sort made from an unstable one.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

struct column { const int *keys; int descending; long calls; };
static int compare(const void *a, const void *b, void *context) {
    struct column *c = context;
    int i = *(const int *)a, j = *(const int *)b, order = (c->keys[i] > c->keys[j]) - (c->keys[i] < c->keys[j]);
    c->calls++;
    if (order == 0) return i - j;
    return c->descending ? -order : order;
}

int main(void) {
    int keys[60], index[60];
    for (unsigned i = 0, s = 8; i < 60; i++) s = s * 1103515245 + 12345, keys[i] = (int)(s >> 16) % 12;
    for (int d = 0; d < 2; d++) {
        struct column c = {keys, d, 0};
        for (int i = 0; i < 60; i++) index[i] = i;
        qsort_r(index, 60, sizeof *index, compare, &c);
        int stable = 1;
        for (int i = 1; i < 60; i++) stable &= keys[index[i - 1]] != keys[index[i]] || index[i - 1] < index[i];
        printf("%d %d:", stable, c.calls > 60);
        for (int i = 0; i < 60; i++) printf(" %d/%d", keys[index[i]], index[i]);
        putchar('\n');
    }
    return 0;
}
