// Reference-counted strings and a rope with sharing; every allocation is released.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rope { int count; size_t length; struct rope *left, *right; char text[]; };
static int live, peak;

static struct rope *leaf(const char *text) {
    size_t n = strlen(text);
    struct rope *r = malloc(sizeof *r + n + 1);
    *r = (struct rope){1, n, NULL, NULL};
    memcpy(r->text, text, n + 1);
    if (++live > peak) peak = live;
    return r;
}
static struct rope *share(struct rope *r) { return r->count++, r; }
static struct rope *concat(struct rope *a, struct rope *b) {
    struct rope *r = malloc(sizeof *r);
    *r = (struct rope){1, a->length + b->length, a, b};
    if (++live > peak) peak = live;
    return r;
}
static void drop(struct rope *r) {
    if (!r || --r->count) return;
    drop(r->left), drop(r->right), free(r), live--;
}
static char at(const struct rope *r, size_t i) {
    while (r->left) if (i < r->left->length) r = r->left; else i -= r->left->length, r = r->right;
    return r->text[i];
}
static int depth(const struct rope *r) { if (!r->left) return 0; int a = depth(r->left), b = depth(r->right); return 1 + (a > b ? a : b); }

int main(void) {
    struct rope *a = leaf("a"), *b = leaf("b");
    for (int i = 0; i < 15; i++) { struct rope *next = concat(share(b), share(a)); drop(a), a = b, b = next; }
    printf("%zu %d %d ", b->length, live, depth(b));
    for (size_t i = 0; i < 40; i++) putchar(at(b, i));
    unsigned hash = 0;
    for (size_t i = 0; i < b->length; i++) hash = hash * 31 + (unsigned char)at(b, i);
    printf(" %u\n", hash);
    struct rope *doubled = share(b);
    for (int i = 0; i < 20; i++) doubled = concat(share(doubled), doubled);
    printf("%zu %c %d\n", doubled->length, at(doubled, 500000), live);
    drop(doubled), printf("%d ", live);
    drop(a), printf("%d ", live);
    drop(b), printf("%d %d\n", live, peak);
    return 0;
}
