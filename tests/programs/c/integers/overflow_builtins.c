// __builtin_{add,sub,mul}_overflow for mixed types and boundary values.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static const int64_t edge[] = {0, 1, -1, 2, INT_MAX, INT_MIN, UINT_MAX, (int64_t)INT_MAX + 1,
                               INT64_MAX, INT64_MIN, INT64_MAX / 2 + 1, 3037000500, -3037000500};
enum { COUNT = sizeof edge / sizeof *edge };

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        unsigned flags = 0, hash = 0;
        for (int j = 0; j < COUNT; j++) {
            int64_t s;
            uint64_t u;
            int32_t n;
            uint8_t b;
            flags += __builtin_add_overflow(edge[i], edge[j], &s), hash = hash * 31 + (unsigned)s;
            flags += 100 * __builtin_sub_overflow(edge[i], edge[j], &s), hash = hash * 31 + (unsigned)s;
            flags += 10000 * __builtin_mul_overflow(edge[i], edge[j], &s), hash = hash * 31 + (unsigned)s;
            flags += 7 * __builtin_add_overflow((uint64_t)edge[i], (uint64_t)edge[j], &u), hash ^= (unsigned)u;
            flags += 700 * __builtin_mul_overflow((uint64_t)edge[i], (uint64_t)edge[j], &u), hash += (unsigned)u;
            flags += 1000003 * __builtin_sub_overflow((uint64_t)edge[i], (uint64_t)edge[j], &u);
            flags += 13 * __builtin_add_overflow(edge[i], edge[j], &n), hash = hash * 31 + (unsigned)n;
            flags += 17 * __builtin_mul_overflow((int)edge[i], (unsigned)edge[j], &b), hash += b;
            flags += 19 * __builtin_mul_overflow(edge[i], (uint64_t)edge[j], &s), hash += (unsigned)s;
        }
        printf("%d flags %u hash %08x\n", i, flags, hash);
    }
    short small;
    printf("%d", __builtin_add_overflow(30000, 5000, &small));
    printf(" %d\n", small);
    return 0;
}
