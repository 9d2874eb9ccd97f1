// An open-addressing hash table with growth and tombstones against a linear list.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slot { char *key; int value; enum { EMPTY, FULL, GONE } state; };
struct table { struct slot *slots; size_t capacity, used, filled; };

static uint64_t hash(const char *s) { uint64_t h = 1469598103934665603u; for (; *s; s++) h = (h ^ (unsigned char)*s) * 1099511628211u; return h; }
static struct slot *find(struct table *t, const char *key, int insert) {
    struct slot *grave = NULL;
    for (size_t i = hash(key) % t->capacity;; i = (i + 1) % t->capacity) {
        struct slot *s = &t->slots[i];
        if (s->state == EMPTY) return insert && grave ? grave : s;
        if (s->state == GONE) { if (!grave) grave = s; }
        else if (!strcmp(s->key, key)) return s;
    }
}
static void put(struct table *t, const char *key, int value);
static void grow(struct table *t) {
    struct table old = *t;
    t->capacity = old.capacity ? old.capacity * 2 : 8, t->used = t->filled = 0;
    t->slots = calloc(t->capacity, sizeof *t->slots);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.slots[i].state == FULL) put(t, old.slots[i].key, old.slots[i].value);
        free(old.slots[i].key);
    }
    free(old.slots);
}
static void put(struct table *t, const char *key, int value) {
    if ((t->filled + 1) * 4 > t->capacity * 3) grow(t);
    struct slot *s = find(t, key, 1);
    if (s->state != FULL) {
        if (s->state == EMPTY) t->filled++;
        free(s->key), s->key = strdup(key), s->state = FULL, t->used++;
    }
    s->value = value;
}
static int erase(struct table *t, const char *key) { struct slot *s = find(t, key, 0); if (s->state != FULL) return 0; s->state = GONE, t->used--; return 1; }

int main(void) {
    struct table t = {0};
    static int expected[500];
    unsigned state = 5, wrong = 0;
    for (int i = 0; i < 6000; i++) {
        state = state * 1103515245 + 12345;
        unsigned k = (state >> 12) % 500;
        char key[16];
        snprintf(key, sizeof key, "key-%u", k);
        if (state >> 28 < 5 && t.capacity) wrong += erase(&t, key) != (expected[k] != 0), expected[k] = 0;
        else put(&t, key, i + 1), expected[k] = i + 1;
    }
    size_t used = 0;
    long sum = 0;
    for (int k = 0; k < 500; k++) {
        char key[16];
        snprintf(key, sizeof key, "key-%d", k);
        struct slot *s = find(&t, key, 0);
        wrong += (s->state == FULL ? s->value : 0) != expected[k], used += expected[k] != 0, sum += expected[k];
    }
    printf("%zu %zu %zu %zu %u %ld\n", t.capacity, t.used, used, t.filled, wrong, sum);
    for (size_t i = 0; i < t.capacity; i++) free(t.slots[i].key);
    free(t.slots);
    return 0;
}
