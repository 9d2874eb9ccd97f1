// Knapsack, coin change, longest increasing subsequence, matrix-chain order, Catalan numbers.
#include <limits.h>
#include <stdio.h>
#include <string.h>

static int maximum(int a, int b) { return a > b ? a : b; }
static int knapsack(const int *w, const int *v, int n, int capacity) {
    int best[200] = {0};
    for (int i = 0; i < n; i++) for (int c = capacity; c >= w[i]; c--) best[c] = maximum(best[c], best[c - w[i]] + v[i]);
    return best[capacity];
}
static long long ways(const int *coins, int n, int amount) {
    long long count[1001] = {1};
    for (int i = 0; i < n; i++) for (int a = coins[i]; a <= amount; a++) count[a] += count[a - coins[i]];
    return count[amount];
}
static int increasing(const int *v, int n) {
    int tails[100], length = 0;
    for (int i = 0; i < n; i++) {
        int low = 0, high = length;
        while (low < high) { int m = (low + high) / 2; if (tails[m] < v[i]) low = m + 1; else high = m; }
        tails[low] = v[i];
        if (low == length) length++;
    }
    return length;
}
static int cut[12][12];
static int chain(const int *d, int n) {
    static int cost[12][12];
    memset(cost, 0, sizeof cost);
    for (int span = 1; span < n; span++)
        for (int i = 0; i + span < n; i++) {
            int j = i + span;
            cost[i][j] = INT_MAX;
            for (int k = i; k < j; k++) { int c = cost[i][k] + cost[k + 1][j] + d[i] * d[k + 1] * d[j + 1]; if (c < cost[i][j]) cost[i][j] = c, cut[i][j] = k; }
        }
    return cost[0][n - 1];
}
static void show(int i, int j) { if (i == j) printf("%c", 'A' + i); else putchar('('), show(i, cut[i][j]), show(cut[i][j] + 1, j), putchar(')'); }

int main(void) {
    static const int w[] = {12, 7, 11, 8, 9, 6, 5, 14}, v[] = {24, 13, 23, 15, 16, 11, 9, 28}, coins[] = {1, 2, 5, 10, 20, 50, 100, 200};
    for (int c = 10; c <= 70; c += 12) printf("%d ", knapsack(w, v, 8, c));
    printf("\n%lld %lld %lld\n", ways(coins, 8, 200), ways(coins, 8, 1000), ways(coins + 1, 2, 3));
    int sequence[100];
    for (unsigned i = 0, s = 4; i < 100; i++) s = s * 69069 + 1, sequence[i] = (int)(s >> 16) % 1000;
    printf("%d %d\n", increasing(sequence, 100), increasing(sequence, 10));
    static const int d[] = {30, 35, 15, 5, 10, 20, 25, 40, 8};
    printf("%d ", chain(d, 8)), show(0, 7), putchar('\n');
    unsigned long long catalan[34] = {1};
    for (int n = 1; n < 34; n++) for (int k = 0; k < n; k++) catalan[n] += catalan[k] * catalan[n - 1 - k];
    printf("%llu %llu\n", catalan[20], catalan[33]);
    return 0;
}
