// Integer and modular matrices: product, determinant by fraction-free elimination, power, transpose.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 12 };
typedef int64_t matrix[N][N];
static const int64_t modulus = 1000003;

static void multiply(const int64_t (*a)[N], const int64_t (*b)[N], matrix out) {
    matrix r = {{0}};
    for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) for (int j = 0; j < N; j++) r[i][j] = (r[i][j] + a[i][k] * b[k][j]) % modulus;
    memcpy(out, r, sizeof r);
}
static void power(matrix base, unsigned e, matrix out) {
    memset(out, 0, sizeof(matrix));
    for (int i = 0; i < N; i++) out[i][i] = 1;
    for (; e; e >>= 1) { if (e & 1) multiply((const int64_t(*)[N])out, (const int64_t(*)[N])base, out); multiply((const int64_t(*)[N])base, (const int64_t(*)[N])base, base); }
}
static __int128 determinant(int n, int64_t source[6][6]) {
    __int128 m[6][6], previous = 1;
    int sign = 1;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = source[i][j];
    for (int k = 0; k + 1 < n; k++) {
        int p = k;
        while (p < n && m[p][k] == 0) p++;
        if (p == n) return 0;
        if (p != k) { sign = -sign; for (int j = 0; j < n; j++) { __int128 t = m[k][j]; m[k][j] = m[p][j], m[p][j] = t; } }
        for (int i = k + 1; i < n; i++) for (int j = k + 1; j < n; j++) m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) / previous;
        previous = m[k][k];
    }
    return sign * m[n - 1][n - 1];
}

int main(void) {
    matrix a, r;
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = (i * 31 + j * 17) % 11 - 5 + (i == j) * 7;
    power(a, 77, r);
    int64_t trace = 0, hash = 0;
    for (int i = 0; i < N; i++) { trace += r[i][i]; for (int j = 0; j < N; j++) hash = (hash * 31 + r[j][i]) % modulus; }
    printf("%lld %lld\n", (long long)trace, (long long)hash);
    int64_t small[6][6];
    for (int seed = 0; seed < 6; seed++) {
        for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) small[i][j] = (i * seed * 7 + j * j * 3 + i * j * 5 + seed) % 19 - 9;
        for (int n = 1; n <= 6; n++) printf("%lld ", (long long)determinant(n, small));
        putchar('\n');
    }
    return 0;
}
