// switch: dense, sparse, fall-through, default in the middle, ranges, 64-bit and negative labels.
#include <limits.h>
#include <stdio.h>

static int dense(int n) {
    switch (n) {
    case 0: return 10; case 1: return 11; case 2: return 9; case 3: return 14; case 4: return 2; case 5: return 77; case 6: return 1; case 7: return 0;
    default: return -1;
    }
}
static int sparse(int n) {
    switch (n) {
    case -1000000: return 1; case -5: return 2; case 0: return 3; case 17: return 4; case 4096: return 5; case INT_MAX: return 6; case INT_MIN: return 7;
    }
    return 0;
}
static int falling(int n) {
    int r = 0;
    switch (n) {
    case 3: r += 1000;
    default: r += 1;
    case 1: r += 10; break;
    case 2: r += 100;
    case 4: r += 5;
    }
    return r;
}
static int wide(unsigned long long n) {
    switch (n) {
    case 0x100000000ull: return 1; case 0x100000001ull: return 2; case 1: return 3; case ULLONG_MAX: return 4; case 1ull << 63: return 5;
    default: return 0;
    }
}
static const char *range(int c) {
    switch (c) {
    case '0' ... '9': return "digit"; case 'a' ... 'z': case 'A' ... 'Z': return "letter"; case -128 ... -1: return "negative"; default: return "other";
    }
}
static int duff(char *to, const char *from, int count) {
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
        } while (--rounds > 0);
    }
    return count;
}

int main(void) {
    for (int i = -2; i < 10; i++) printf("%d,%d,%d ", dense(i), falling(i), sparse(i));
    printf("\n%d %d %d %d %d %d\n", sparse(-1000000), sparse(-5), sparse(17), sparse(4096), sparse(INT_MAX), sparse(INT_MIN));
    printf("%d %d %d %d %d %d\n", wide(0x100000000), wide(0x100000001), wide(1), wide(-1), wide(1ull << 63), wide(0));
    printf("%s %s %s %s %s\n", range('5'), range('q'), range('Q'), range(-7), range('%'));
    char buffer[12] = {0};
    printf("%d %s", duff(buffer, "abcdefghijk", 11), buffer);
    switch ((signed char)200) { case -56: puts(" wrapped"); break; case 0: puts(" zero"); }
    return 0;
}
