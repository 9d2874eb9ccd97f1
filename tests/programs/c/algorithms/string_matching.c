// Naive, Knuth-Morris-Pratt, Rabin-Karp and Boyer-Moore-Horspool must agree; edit distance; LCS.
#include <stdio.h>
#include <string.h>

static int naive(const char *t, const char *p) { int n = 0; for (size_t m = strlen(p); *t; t++) n += !strncmp(t, p, m); return n; }
static int kmp(const char *t, const char *p) {
    int fail[64], m = (int)strlen(p), n = 0;
    fail[0] = -1;
    for (int i = 0, k = -1; i < m;) { while (k >= 0 && p[i] != p[k]) k = fail[k]; fail[++i] = ++k; }
    for (int k = 0; *t; t++) { while (k >= 0 && (k == m || *t != p[k])) k = fail[k]; if (++k == m) n++; }
    return n;
}
static int rabin_karp(const char *t, const char *p) {
    size_t m = strlen(p), length = strlen(t);
    unsigned want = 0, have = 0, high = 1;
    int n = 0;
    for (size_t i = 0; i < m; i++) want = want * 257 + (unsigned char)p[i], high *= i ? 257 : 1;
    for (size_t i = 0; i < length; i++) {
        if (i >= m) have -= high * (unsigned char)t[i - m];
        have = have * 257 + (unsigned char)t[i];
        n += i + 1 >= m && have == want && !memcmp(t + i + 1 - m, p, m);
    }
    return n;
}
static int horspool(const char *t, const char *p) {
    int m = (int)strlen(p), length = (int)strlen(t), shift[256], n = 0;
    for (int i = 0; i < 256; i++) shift[i] = m;
    for (int i = 0; i + 1 < m; i++) shift[(unsigned char)p[i]] = m - 1 - i;
    for (int at = 0; at + m <= length; at += shift[(unsigned char)t[at + m - 1]]) n += !memcmp(t + at, p, (size_t)m);
    return n;
}
static int minimum(int a, int b) { return a < b ? a : b; }
static int edit(const char *a, const char *b) {
    int row[40], n = (int)strlen(b);
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++)
        for (int j = 1, corner = row[0]++; j <= n; j++) {
            int next = minimum(minimum(row[j], row[j - 1]) + 1, corner + (a[i - 1] != b[j - 1]));
            corner = row[j], row[j] = next;
        }
    return row[n];
}
static int common(const char *a, const char *b) { return !*a || !*b ? 0 : *a == *b ? 1 + common(a + 1, b + 1) : -minimum(-common(a + 1, b), -common(a, b + 1)); }

int main(void) {
    static char text[1001];
    for (unsigned i = 0, s = 9; i < 1000; i++) s = s * 69069 + 1, text[i] = "ab"[s >> 30 & 1];
    static const char *patterns[] = {"a", "ab", "aa", "abab", "aabba", "bbbbbb", "abaababaab", "abc"};
    for (int i = 0; i < 8; i++)
        printf("%s %d %d %d %d\n", patterns[i], naive(text, patterns[i]), kmp(text, patterns[i]), rabin_karp(text, patterns[i]), horspool(text, patterns[i]));
    printf("%d %d %d %d\n", edit("kitten", "sitting"), edit("", "abc"), edit("flaw", "lawn"), edit("same", "same"));
    printf("%d %d\n", common("AGGTABXA", "GXTXAYB"), common("abcdef", "fedcba"));
    return 0;
}
