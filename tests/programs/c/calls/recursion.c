// Recursion: Ackermann, mutual recursion, Hanoi, permutations, deep but bounded stacks.
#include <stdio.h>
#include <string.h>

static unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }
static int hofstadter_m(int n);
static int hofstadter_f(int n) { return n == 0 ? 1 : n - hofstadter_m(hofstadter_f(n - 1)); }
static int hofstadter_m(int n) { return n == 0 ? 0 : n - hofstadter_f(hofstadter_m(n - 1)); }
static unsigned moves, position;
static void hanoi(int n, int from, int to) {
    if (n == 0) return;
    int other = 6 - from - to;
    hanoi(n - 1, from, other);
    moves++, position = position * 7 + (unsigned)(from * 3 + to);
    hanoi(n - 1, other, to);
}
static int count;
static void permute(char *text, int at) {
    if (!text[at]) { if (count++ % 11 == 0) printf("%s ", text); return; }
    for (int i = at; text[i]; i++) {
        char t = text[at]; text[at] = text[i], text[i] = t;
        permute(text, at + 1);
        t = text[at], text[at] = text[i], text[i] = t;
    }
}
static long depth(long n) { volatile char pad[64]; pad[0] = (char)n; return n ? 1 + depth(n - 1) + (pad[0] != (char)n) : 0; }

int main(void) {
    for (unsigned m = 0; m <= 3; m++) printf("%u ", ackermann(m, m == 3 ? 5 : 9));
    printf("\n%d %d %d\n", is_even(1000), is_odd(999), is_even(77));
    for (int i = 0; i < 20; i++) printf("%d/%d ", hofstadter_f(i), hofstadter_m(i));
    hanoi(10, 1, 3);
    printf("\n%u %u\n", moves, position);
    char text[] = "abcde";
    permute(text, 0);
    printf("\n%d %ld\n", count, depth(10000));
    return 0;
}
