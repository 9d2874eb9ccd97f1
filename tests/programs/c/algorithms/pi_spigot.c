// The first digits of pi by a spigot, of e by series in base 10000, and of the square root of two.
#include <stdio.h>
#include <string.h>

static void pi(int digits) {
    static int a[1200];
    int n = digits * 10 / 3 + 1, nines = 0, previous = -1;
    for (int i = 0; i < n; i++) a[i] = 2;
    for (int d = 0; d <= digits; d++) {
        int carry = 0;
        for (int i = n; i-- > 0;) { int x = 10 * a[i] + carry * (i + 1); a[i] = x % (2 * i + 1), carry = x / (2 * i + 1); }
        a[0] = carry % 10;
        int q = carry / 10;
        if (q == 9) { nines++; continue; }
        if (previous >= 0) printf("%d", previous + q / 10);
        for (; nines; nines--) putchar(q == 10 ? '0' : '9');
        previous = q % 10;
    }
    putchar('\n');
}
static void e(int groups) {
    int term[60] = {1}, sum[60] = {1};
    for (int n = 1; n < 120; n++) {
        for (int i = 0, r = 0; i < groups; i++) r = r * 10000 + term[i], term[i] = r / n, r %= n;
        for (int i = groups, carry = 0; i-- > 0;) sum[i] += term[i] + carry, carry = sum[i] / 10000, sum[i] -= i ? carry * 10000 : 0;
    }
    printf("%d.", sum[0]);
    for (int i = 1; i < groups - 2; i++) printf("%04d", sum[i]);
    putchar('\n');
}
static void root_two(int digits) {
    unsigned char remainder[260] = {0}, root[260] = {0};
    int length = 0;
    (void)remainder;
    unsigned __int128 r = 0, p = 0, n = 2;
    for (int d = 0; d < digits; d++, n = 0) {
        r = r * 100 + n;
        int x = 9;
        while ((20 * p + (unsigned)x) * (unsigned)x > r) x--;
        r -= (20 * p + (unsigned)x) * (unsigned)x, p = p * 10 + (unsigned)x, root[length++] = (unsigned char)('0' + x);
    }
    printf("%.*s\n", length, (char *)root);
}

int main(void) {
    pi(300), e(50), root_two(18);
    return 0;
}
