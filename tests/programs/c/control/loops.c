// All loop forms with break, continue, empty bodies, several variables and unsigned traps.
#include <stdio.h>

int main(void) {
    int total = 0;
    for (int i = 0, j = 100; i < j; i += 3, j -= 2) total += i * j;
    printf("%d\n", total);
    unsigned u = 5, seen = 0;
    for (; u-- > 0;) seen = seen * 10 + u;
    printf("%u %u\n", u, seen);
    int n = 0;
    do { if (n == 3) continue; n += 2; if (n > 20) break; } while (++n < 50);
    printf("%d\n", n);
    for (unsigned char c = 250; c > 10; c++) total++;
    printf("%d\n", total);
    const char *p = "find the end";
    while (*p++);
    printf("%d\n", p[-2]);
    int outer = 0, inner = 0;
    while (1) {
        if (++outer == 50) break;
        for (int k = outer;; k /= 2) {
            if (k % 5 == 0) break;
            if (k % 3 == 0) continue;
            inner += k;
        }
    }
    printf("%d %d\n", outer, inner);
    int spiral[5][5], value = 0, top = 0, bottom = 4, left = 0, right = 4;
    while (top <= bottom && left <= right) {
        for (int c = left; c <= right; c++) spiral[top][c] = value++;
        top++;
        for (int r = top; r <= bottom; r++) spiral[r][right] = value++;
        right--;
        for (int c = right; c >= left && top <= bottom; c--) spiral[bottom][c] = value++;
        bottom--;
        for (int r = bottom; r >= top && left <= right; r--) spiral[r][left] = value++;
        left++;
    }
    for (int r = 0; r < 5; r++) printf("%d %d %d %d %d\n", spiral[r][0], spiral[r][1], spiral[r][2], spiral[r][3], spiral[r][4]);
    double x = 1;
    int halvings = 0;
    while (x > 0) x /= 2, halvings++;
    printf("%d\n", halvings);
    return 0;
}
