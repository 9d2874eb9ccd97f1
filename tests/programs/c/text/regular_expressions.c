// regcomp and regexec: basic and extended syntax, submatches, flags, errors by code.
#include <regex.h>
#include <stdio.h>

static void match(const char *pattern, int flags, const char *text) {
    regex_t regex;
    regmatch_t part[5];
    int code = regcomp(&regex, pattern, flags);
    if (code) { printf("%s: compile %d\n", pattern, code == REG_EBRACK ? 1 : code == REG_EPAREN ? 2 : 99); return; }
    code = regexec(&regex, text, 5, part, 0);
    printf("%s ~ %s:", pattern, text);
    if (code == REG_NOMATCH) printf(" no");
    else for (size_t i = 0; i < 5 && i <= regex.re_nsub; i++) printf(" %d-%d", (int)part[i].rm_so, (int)part[i].rm_eo);
    putchar('\n');
    regfree(&regex);
}

int main(void) {
    match("abc", 0, "xxabcxx");
    match("a.c", REG_EXTENDED, "a\ncabc");
    match("^[a-z]+$", REG_EXTENDED, "lowercase");
    match("^[a-z]+$", REG_EXTENDED, "Mixed");
    match("^[a-z]+$", REG_EXTENDED | REG_ICASE, "Mixed");
    match("([0-9]+)-([0-9]+)", REG_EXTENDED, "tel 555-1234 end");
    match("(a|ab)(c|bcd)(d*)", REG_EXTENDED, "abcd");
    match("x*", REG_EXTENDED, "aaa");
    match("colou?r", REG_EXTENDED, "the color");
    match("\\(ab\\)*\\1", 0, "ababab");
    match("a\\{2,3\\}", 0, "caaaat");
    match("a{2,3}b{1}", REG_EXTENDED, "aaaab");
    match("[[:digit:]]+[[:space:]][[:alpha:]]", REG_EXTENDED, "room 42 b");
    match("[^]x]+", REG_EXTENDED, "]x]abc]");
    match("a|b|", REG_EXTENDED, "zzz");
    match("(foo|bar)+baz", REG_EXTENDED, "foobarfoobaz!");
    match("^line2$", REG_EXTENDED | REG_NEWLINE, "line1\nline2\nline3");
    match("[abc", REG_EXTENDED, "");
    match("(abc", REG_EXTENDED, "");
    regex_t regex;
    regcomp(&regex, "[a-z]+", REG_EXTENDED);
    const char *at = "one, two;three 4 five";
    regmatch_t m;
    while (regexec(&regex, at, 1, &m, 0) == 0) printf("<%.*s>", (int)(m.rm_eo - m.rm_so), at + m.rm_so), at += m.rm_eo;
    regfree(&regex);
    regcomp(&regex, "^a", REG_NOSUB);
    printf(" %d %d\n", regexec(&regex, "abc", 0, 0, 0) == 0, regexec(&regex, "abc", 0, 0, REG_NOTBOL) == 0);
    regfree(&regex);
    return 0;
}
