// A bump arena, a free-list pool and a buddy allocator over static storage.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static _Alignas(64) unsigned char storage[1 << 14];
static size_t used;
static void *bump(size_t size, size_t align) {
    size_t at = (used + align - 1) & ~(align - 1);
    if (at + size > sizeof storage) return NULL;
    used = at + size;
    return storage + at;
}
union cell { union cell *next; char data[24]; };
static union cell pool[32], *free_cells;
static void *take(void) { union cell *c = free_cells; if (c) free_cells = c->next; return c; }
static void give(void *p) { union cell *c = p; c->next = free_cells, free_cells = c; }
enum { LEVELS = 8 };
static unsigned char state[1 << (LEVELS + 1)];
static int buddy(int node, int level, int want) {
    if (state[node] == 2 || level < want) return -1;
    if (level == want) return state[node] ? -1 : (state[node] = 2, node);
    int found = buddy(node * 2, level - 1, want);
    if (found < 0) found = buddy(node * 2 + 1, level - 1, want);
    if (found >= 0) state[node] = 1;
    return found;
}
static void release(int node) { state[node] = 0; while (node > 1 && !state[node ^ 1]) state[node /= 2] = 0; }

int main(void) {
    size_t total = 0;
    int failures = 0;
    for (size_t i = 1; i < 120; i++) {
        unsigned char *p = bump(i * 3, (size_t)1 << i % 6);
        if (!p) { failures++; continue; }
        memset(p, (int)i, i * 3), total += (size_t)(p - storage) * i % 1000;
    }
    printf("%zu %d %zu\n", used, failures, total);
    for (int i = 0; i < 32; i++) give(&pool[i]);
    void *held[40];
    int taken = 0;
    while ((held[taken] = take())) taken++;
    for (int i = 0; i < taken; i += 3) give(held[i]);
    printf("%d %td %td\n", taken, (union cell *)take() - pool, (union cell *)take() - pool);
    int nodes[20];
    for (int i = 0; i < 20; i++) nodes[i] = buddy(1, LEVELS, i % 5), printf("%d ", nodes[i]);
    for (int i = 0; i < 20; i += 2) if (nodes[i] >= 0) release(nodes[i]);
    printf("| %d %d\n", buddy(1, LEVELS, 3), buddy(1, LEVELS, 6));
    return 0;
}
