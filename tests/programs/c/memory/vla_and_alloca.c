// Variable-length arrays and alloca: sizes, lifetimes in loops, two-dimensional, in callees.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static unsigned pascal(int n) {
    unsigned row[n + 1], total = 0;
    memset(row, 0, sizeof row);
    row[0] = 1;
    for (int i = 1; i <= n; i++)
        for (int j = i; j > 0; j--) row[j] += row[j - 1];
    for (int i = 0; i <= n; i++) total = total * 7 + row[i];
    return total + (unsigned)sizeof row;
}
static long trace(int n, long m[n][n]) { long t = 0; for (int i = 0; i < n; i++) t += m[i][i]; return t; }
static long product(int n) {
    long a[n][n], b[n][n], c[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] = i + j, b[i][j] = i - j, c[i][j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    return trace(n, c) + c[0][n - 1];
}
static size_t chain(int n) {
    char *pieces[20];
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        pieces[i] = alloca((size_t)i + 2);
        memset(pieces[i], 'a' + i, (size_t)i + 1);
        pieces[i][i + 1] = 0;
    }
    for (int i = 0; i < n; i++) length = length * 3 + strlen(pieces[i]) + (size_t)pieces[i][i];
    return length;
}

int main(void) {
    for (int n = 0; n < 20; n += 3) printf("%d %u\n", n, pascal(n));
    for (int n = 1; n < 12; n += 2) printf("%ld ", product(n));
    putchar('\n');
    printf("%zu %zu\n", chain(5), chain(20));
    unsigned hash = 0;
    for (int i = 1; i < 200; i++) {
        short scratch[i];
        for (int j = 0; j < i; j++) scratch[j] = (short)(i * j);
        hash = hash * 31 + (unsigned)scratch[i / 2] + (unsigned)sizeof scratch;
    }
    int n = 4, (*p)[n] = (int[3][4]){{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    printf("%u %d %zu\n", hash, p[2][1], sizeof *p);
    return 0;
}
