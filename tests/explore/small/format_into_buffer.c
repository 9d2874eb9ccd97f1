// snprintf into a buffer that is sometimes too short.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: \xfe
#include <stdio.h>
#include <string.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    char text[4];
    int needed = snprintf(text, sizeof text, "%x%o", c >> 4, c & 15);
    if (needed >= (int)sizeof text) puts("cut");
    if (!strcmp(text, "77")) puts("sevens");
    return (int)strlen(text);
}
