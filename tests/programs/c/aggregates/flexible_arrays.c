// Flexible array members, struct hack allocations, growth with realloc.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { size_t length, capacity; char data[]; };
struct polygon { unsigned char sides; struct { float x, y; } corner[]; };

static struct text *append(struct text *t, const char *piece) {
    size_t n = strlen(piece), length = t ? t->length : 0;
    if (!t || length + n + 1 > t->capacity) {
        size_t capacity = (length + n + 1) * 2;
        t = realloc(t, sizeof *t + capacity);
        t->capacity = capacity, t->length = length;
    }
    memcpy(t->data + t->length, piece, n + 1);
    t->length += n;
    return t;
}

static struct { int n; int values[]; } fixed = {3, {10, 20, 30}};

int main(void) {
    struct text *t = NULL;
    for (int i = 0; i < 40; i++) {
        char piece[16];
        snprintf(piece, sizeof piece, "%d,", i * i);
        t = append(t, piece);
    }
    printf("%zu %zu %s\n", t->length, t->capacity, t->data);
    free(t);
    struct polygon *p = malloc(sizeof *p + 5 * sizeof p->corner[0]);
    p->sides = 5;
    for (int i = 0; i < p->sides; i++) p->corner[i].x = (float)i * 1.5f, p->corner[i].y = (float)(i * i) / 4;
    float area = 0;
    for (int i = 0; i < p->sides; i++) {
        int j = (i + 1) % p->sides;
        area += p->corner[i].x * p->corner[j].y - p->corner[j].x * p->corner[i].y;
    }
    printf("%g %zu %zu\n", (double)area, sizeof *p, sizeof *t);
    free(p);
    for (int i = 0; i < fixed.n; i++) printf("%d ", fixed.values[i]);
    putchar('\n');
    return 0;
}
