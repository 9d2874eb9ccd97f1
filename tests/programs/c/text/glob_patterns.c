// fnmatch patterns and flags.
#include <fnmatch.h>
#include <stdio.h>

int main(void) {
    static const struct { const char *pattern, *text; int flags; } cases[] = {
        {"*.c", "main.c", 0}, {"*.c", "main.h", 0}, {"?at", "cat", 0}, {"?at", "at", 0}, {"[a-c]x", "bx", 0}, {"[!a-c]x", "bx", 0},
        {"[!a-c]x", "dx", 0}, {"*", "", 0}, {"", "", 0}, {"", "a", 0}, {"a*b*c", "aXXbYYc", 0}, {"a*b*c", "aXXbYY", 0},
        {"dir/*", "dir/sub/file", 0}, {"dir/*", "dir/sub/file", FNM_PATHNAME}, {"*", ".hidden", FNM_PERIOD}, {".*", ".hidden", FNM_PERIOD},
        {"\\*", "*", 0}, {"\\*", "\\x", FNM_NOESCAPE}, {"[[:digit:]][[:upper:]]", "7Q", 0}, {"[]]", "]", 0}, {"**", "anything", 0},
        {"a/*/c", "a/b/c", FNM_PATHNAME}, {"*/c", "a/b/c", FNM_PATHNAME}, {"[a", "[a", 0}, {"x[-y]z", "x-z", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int result = fnmatch(cases[i].pattern, cases[i].text, cases[i].flags);
        printf("%s %s %s\n", cases[i].pattern, cases[i].text, result == 0 ? "yes" : result == FNM_NOMATCH ? "no" : "error");
    }
    return 0;
}
