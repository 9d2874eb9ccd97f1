// __int128: arithmetic, shifts, comparison, division and printing in decimal.
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print_u(u128 value) {
    char text[41];
    int at = 40;
    text[at] = 0;
    do text[--at] = (char)('0' + (int)(value % 10)), value /= 10;
    while (value);
    fputs(text + at, stdout);
}
static void print_i(i128 value) {
    if (value < 0) putchar('-'), print_u(-(u128)value);
    else print_u((u128)value);
    putchar('\n');
}

int main(void) {
    u128 factorial = 1;
    for (int i = 1; i <= 34; i++) factorial *= (u128)i;
    print_u(factorial), putchar('\n');
    i128 low = (i128)((u128)1 << 127), high = ~low;
    print_i(low), print_i(high);
    print_i(high / -7), print_i(high % -7), print_i(low / 3), print_i(low % 3);
    print_i(low >> 100), print_u((u128)low >> 100), putchar('\n');
    i128 product = (i128)INT64_MIN * INT64_MAX;
    print_i(product);
    printf("%d %d %d\n", product < 0, (u128)product > (u128)high, product == (i128)INT64_MAX * INT64_MIN);
    u128 hash = 0x6c62272e07bb0142u;
    for (int n = 0; n < 128; n++) {
        hash ^= (u128)1 << n;
        hash = hash * 0x13b + (hash >> (127 - n)) + (u128)((i128)hash >> n);
    }
    printf("%016llx%016llx\n", (unsigned long long)(hash >> 64), (unsigned long long)hash);
    print_u(hash / 0xffffffffffffffffu), putchar('\n');
    print_u(hash % ((u128)1 << 70 | 12345)), putchar('\n');
    return 0;
}
