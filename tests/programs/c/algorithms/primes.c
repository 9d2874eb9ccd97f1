// Sieve, trial division, Miller-Rabin with 128-bit products, factorisation, gcd, modular inverse.
#include <stdint.h>
#include <stdio.h>

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t m) { return (uint64_t)((unsigned __int128)a * b % m); }
static uint64_t power(uint64_t b, uint64_t e, uint64_t m) { uint64_t r = 1; for (b %= m; e; e >>= 1, b = multiply(b, b, m)) if (e & 1) r = multiply(r, b, m); return r; }
static int prime(uint64_t n) {
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    if (n < 2) return 0;
    for (int i = 0; i < 12; i++) if (n % bases[i] == 0) return n == bases[i];
    int s = __builtin_ctzll(n - 1);
    for (int i = 0; i < 12; i++) {
        uint64_t x = power(bases[i], (n - 1) >> s, n);
        int witness = x != 1 && x != n - 1;
        for (int r = 1; r < s && witness; r++) { x = multiply(x, x, n); if (x == n - 1) witness = 0; }
        if (witness) return 0;
    }
    return 1;
}
static uint64_t gcd(uint64_t a, uint64_t b) { return b ? gcd(b, a % b) : a; }
static uint64_t factor(uint64_t n) {
    for (uint64_t c = 1;; c++) {
        uint64_t x = 2, y = 2, d = 1;
        while (d == 1) x = (multiply(x, x, n) + c) % n, y = (multiply(y, y, n) + c) % n, y = (multiply(y, y, n) + c) % n, d = gcd(x > y ? x - y : y - x, n);
        if (d != n) return d;
    }
}
static void print_factors(uint64_t n) {
    if (n == 1) return;
    if (prime(n)) { printf("%llu ", (unsigned long long)n); return; }
    uint64_t d = n % 2 == 0 ? 2 : factor(n), e = n / d;
    if (d > e) { uint64_t t = d; d = e, e = t; }
    print_factors(d), print_factors(e);
}
static int64_t inverse(int64_t a, int64_t m) {
    int64_t r0 = m, r1 = a, s0 = 0, s1 = 1;
    while (r1) { int64_t q = r0 / r1, t = r0 - q * r1; r0 = r1, r1 = t, t = s0 - q * s1, s0 = s1, s1 = t; }
    return s0 < 0 ? s0 + m : s0;
}

int main(void) {
    static char composite[50000];
    int count = 0, wrong = 0;
    for (int i = 2; i < 50000; i++) {
        if (!composite[i]) { count++; for (int j = i * 2; j < 50000; j += i) composite[j] = 1; }
        if (i < 4000) wrong += prime((uint64_t)i) == composite[i];
    }
    printf("%d %d\n", count, wrong);
    printf("%d %d %d\n", prime(18446744073709551557u), prime(18446744073709551556u), prime(3825123056546413051u));
    print_factors(1234567890123u), print_factors(600851475143u), print_factors(1000000016000000063u);
    printf("\n%lld %llu\n", (long long)inverse(12345, 1000000007), (unsigned long long)gcd(1071 * 462, 462 * 1029));
    return 0;
}
