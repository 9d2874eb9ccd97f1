// malloc, calloc, realloc, aligned_alloc: contents kept, zeroing, alignment, many sizes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state = 1;
static unsigned next(void) { return state = state * 1664525u + 1013904223u, state >> 8; }

int main(void) {
    enum { SLOTS = 64 };
    unsigned char *block[SLOTS] = {0};
    size_t size[SLOTS] = {0};
    unsigned corrupt = 0, operations[4] = {0};
    for (int i = 0; i < 3000; i++) {
        unsigned slot = next() % SLOTS, action = next() % 4;
        size_t n = 1 + next() % 700;
        operations[action]++;
        for (size_t k = 0; k < size[slot]; k++) corrupt += block[slot][k] != (unsigned char)(slot * 7 + k);
        if (action == 0) { free(block[slot]), block[slot] = 0, size[slot] = 0; continue; }
        if (action == 1) {
            free(block[slot]), block[slot] = calloc(n, 1);
            for (size_t k = 0; k < n; k++) corrupt += block[slot][k] != 0;
        } else if (action == 2) {
            free(block[slot]), block[slot] = malloc(n);
        } else {
            block[slot] = realloc(block[slot], n);
            for (size_t k = 0; k < (n < size[slot] ? n : size[slot]); k++) corrupt += block[slot][k] != (unsigned char)(slot * 7 + k);
        }
        size[slot] = n;
        for (size_t k = 0; k < n; k++) block[slot][k] = (unsigned char)(slot * 7 + k);
    }
    printf("%u %u %u %u %u\n", corrupt, operations[0], operations[1], operations[2], operations[3]);
    for (int i = 0; i < SLOTS; i++) free(block[i]);
    for (size_t align = 16; align <= 1024; align *= 4) {
        void *p = aligned_alloc(align, align * 2), *q;
        int result = posix_memalign(&q, align, 10);
        printf("%zu %d %d %d\n", align, (int)((uintptr_t)p % align), result, (int)((uintptr_t)q % align));
        free(p), free(q);
    }
    char *big = malloc(3 << 20);
    memset(big, 'x', 3 << 20);
    big = realloc(big, 5 << 20);
    printf("%d %d\n", big[0], big[(3 << 20) - 1]);
    free(big), free(NULL);
    return 0;
}
