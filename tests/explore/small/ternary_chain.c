// Choices without statements: chains of ?: and the results of comparisons as numbers.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: P
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    int size = c < 32 ? 0 : c < 64 ? 1 : c < 96 ? 2 : 3;
    int odd = (c & 1) != 0, both = odd + (size > 1);
    int least = size < both ? size : both, most = size < both ? both : size;
    const char *text = both == 2 ? "two" : most == least ? "equal" : "other";
    puts(text);
    return least * 4 + most;
}
