// printf's %s and %c with widths and precisions; snprintf truncation and return values.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *text = "hello";
    printf("[%s][%8s][%-8s][%.3s][%8.2s][%-8.2s][%.0s][%.10s][%1s]\n", text, text, text, text, text, text, text, text, text);
    printf("[%*s][%-*s][%.*s][%*.*s]\n", 7, text, 7, text, 2, text, 6, 1, text);
    const char unterminated[3] = {'a', 'b', 'c'};
    printf("[%.3s][%.2s]\n", unterminated, unterminated);
    char out[10];
    for (size_t size = 0; size <= 10; size++) {
        memset(out, '#', sizeof out);
        int n = snprintf(out, size, "%d:%s", 1234, "abcdef");
        printf("%zu %d %.10s|", size, n, size ? out : "-");
        for (int i = 0; i < 10; i++) putchar(out[i] ? out[i] : '0');
        putchar('\n');
    }
    char *made;
    int n = asprintf(&made, "%s-%05d-%g", "as", 42, 0.5);
    printf("%d %s\n", n, made);
    free(made);
    char long_text[700];
    memset(long_text, 'x', 599), long_text[599] = 0;
    printf("%d\n", snprintf(NULL, 0, "%s%700d", long_text, 1));
    printf("%d\n", sprintf(long_text, "%300s|%-300s", "right", "left"));
    unsigned hash = 0;
    for (char *p = long_text; *p; p++) hash = hash * 31 + (unsigned char)*p;
    printf("%u\n", hash);
    printf("%s%s%s%s%s%s%s%s%s%s\n", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
    putchar('p'), putc('q', stdout), fputc('r', stdout), fputs("st", stdout), puts("u");
    return fwrite("vwx\n", 1, 4, stdout) != 4;
}
