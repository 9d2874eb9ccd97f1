// strchr, strrchr, strstr, strspn, strcspn, strpbrk, memchr, memmem, strnlen and friends.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int at(const char *base, const char *found) { return found ? (int)(found - base) : -1; }

int main(void) {
    const char *text = "the quick brown fox jumps over the lazy dog; the end";
    static const char *needles[] = {"the", "fox", "dog;", "end", "", "t", "the end", "cat", "the  ", "lazy dog; the end!", "ver t"};
    for (size_t i = 0; i < sizeof needles / sizeof *needles; i++)
        printf("%s: %d %d\n", needles[i], at(text, strstr(text, needles[i])), at(text, memmem(text, 30, needles[i], strlen(needles[i]))));
    for (const char *c = "tq z;!"; *c; c++)
        printf("%c %d %d %d %d\n", *c, at(text, strchr(text, *c)), at(text, strrchr(text, *c)), at(text, memchr(text, *c, 20)),
               at(text, memrchr(text, *c, 20)));
    printf("%d %d\n", at(text, strchr(text, 0)), at(text, strchrnul(text, '?')));
    printf("%zu %zu %zu %zu\n", strspn(text, "eht "), strcspn(text, "xyz"), strspn(text, ""), strcspn(text, ""));
    printf("%d %d\n", at(text, strpbrk(text, "zyx")), at(text, strpbrk(text, "!?")));
    printf("%zu %zu %zu\n", strlen(text), strnlen(text, 10), strnlen("abc", 10));
    printf("%d %d %d\n", strcasecmp("HeLLo", "hEllO"), strncasecmp("ABCx", "abcy", 3), strcasecmp("a", "B") < 0);
    printf("%d\n", at(text, strcasestr(text, "FOX")));
    char pattern[300];
    memset(pattern, 'a', 299), pattern[299] = 0;
    pattern[250] = 'b';
    printf("%d %d\n", at(pattern, strstr(pattern, "aaaaaaaab")), at(pattern, strstr(pattern, "baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")));
    printf("%d %d\n", ffs(0x50), ffsl(1L << 40));
    return 0;
}
