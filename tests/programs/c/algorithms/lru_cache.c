// An LRU cache: hash table with chains plus a doubly linked list, against a naive model.
#include <stdio.h>
#include <stdlib.h>

enum { CAPACITY = 8, BUCKETS = 5 };
struct entry { int key, value; struct entry *chain, *newer, *older; };
static struct entry *bucket[BUCKETS], ring = {.newer = &ring, .older = &ring};
static int size, hits, misses, evicted;

static void unlink_entry(struct entry *e) { e->newer->older = e->older, e->older->newer = e->newer; }
static void to_front(struct entry *e) { e->older = ring.older, e->newer = &ring, ring.older->newer = e, ring.older = e; }
static struct entry **slot(int key) { struct entry **s = &bucket[(unsigned)key % BUCKETS]; while (*s && (*s)->key != key) s = &(*s)->chain; return s; }
static int get(int key) { struct entry *e = *slot(key); if (!e) return misses++, -1; unlink_entry(e), to_front(e), hits++; return e->value; }
static void put(int key, int value) {
    struct entry *e = *slot(key);
    if (e) { e->value = value, unlink_entry(e), to_front(e); return; }
    if (size == CAPACITY) {
        struct entry *old = ring.newer, **s = slot(old->key);
        *s = old->chain, unlink_entry(old), free(old), size--, evicted++;
    }
    e = calloc(1, sizeof *e);
    e->key = key, e->value = value, e->chain = bucket[(unsigned)key % BUCKETS], bucket[(unsigned)key % BUCKETS] = e;
    to_front(e), size++;
}

int main(void) {
    int model[CAPACITY][2], used = 0, wrong = 0;
    unsigned state = 17;
    for (int i = 0; i < 3000; i++) {
        state = state * 1664525 + 1013904223;
        int key = (int)(state >> 20) % 14, at = 0, write = state >> 31;
        while (at < used && model[at][0] != key) at++;
        int expected = at < used ? model[at][1] : -1, value = write ? i : expected;
        if (write) put(key, i); else wrong += get(key) != expected;
        if (at == used && !write) continue;
        if (at == used && used == CAPACITY) at = 0; else if (at == used) used++;
        for (; at + 1 < used; at++) model[at][0] = model[at + 1][0], model[at][1] = model[at + 1][1];
        model[used - 1][0] = key, model[used - 1][1] = value;
    }
    printf("%d wrong, %d hits, %d misses, %d evicted, %d held:", wrong, hits, misses, evicted, size);
    for (struct entry *e = ring.older; e != &ring;) { struct entry *older = e->older; printf(" %d=%d", e->key, e->value), free(e), e = older; }
    putchar('\n');
    return 0;
}
