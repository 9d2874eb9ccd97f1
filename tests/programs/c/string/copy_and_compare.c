// memcpy, memmove, memset, memcmp, strcpy, strncpy, strcmp and strncmp over many alignments.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static int sign(int v) { return (v > 0) - (v < 0); }

int main(void) {
    unsigned char a[100], b[100];
    unsigned hash = 17;
    for (int from = 0; from < 10; from++)
        for (int to = 0; to < 10; to++)
            for (int n = 0; n < 40; n += 3) {
                for (int i = 0; i < 100; i++) a[i] = (unsigned char)(i * 5), b[i] = (unsigned char)~i;
                memcpy(b + to, a + from, (size_t)n);
                memmove(a + to, a + from, (size_t)n);
                memset(b + 60, n, (size_t)from);
                for (int i = 0; i < 100; i++) hash = hash * 31 + a[i] + b[i];
            }
    printf("%08x\n", hash);
    static const char *words[] = {"", "a", "ab", "abc", "abd", "b", "A", "\x80", "\xff", "abcdefgh", "abcdefgi"};
    for (int i = 0; i < 11; i++) {
        for (int j = 0; j < 11; j++)
            printf("%2d%2d%2d ", sign(strcmp(words[i], words[j])), sign(strncmp(words[i], words[j], 2)), sign(memcmp(words[i], words[j], 1)));
        putchar('\n');
    }
    char text[20];
    memset(text, '#', sizeof text);
    strncpy(text, "abc", 6);
    for (int i = 0; i < 10; i++) printf("%d ", text[i]);
    strncpy(text, "longer text", 4);
    printf("%.6s|%s\n", text, strcpy(text, "copy"));
    printf("%s|%s|%td\n", strcat(text, "+cat"), strncat(text, "truncated", 3), stpcpy(text, "stp") - text);
    char *end = memccpy(text, "one;two", ';', 8);
    printf("%td %d\n", end - text, memccpy(text, "abc", 'z', 3) == NULL);
    printf("%td\n", (char *)mempcpy(text, "xyz", 3) - text);
    return 0;
}
