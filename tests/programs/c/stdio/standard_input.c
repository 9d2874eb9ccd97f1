// getchar, ungetc, fgets, getline, scanf and fread on standard input.
//@ stdin: first line\n\n42 -17 words here\nlong line that does not fit the small buffer\nlast without newline
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int c = getchar();
    printf("%c %d\n", c, ungetc(c, stdin) == c);
    char line[12];
    printf("%s", fgets(line, sizeof line, stdin));
    printf("%zu\n", strlen(fgets(line, sizeof line, stdin)));
    int a = 0, b = 0;
    char word[10] = "";
    printf("%d", scanf("%d%d%9s", &a, &b, word));
    printf(" %d %d %s\n", a, b, word);
    char *text = NULL;
    size_t capacity = 0;
    ssize_t n = getline(&text, &capacity, stdin);
    printf("%zd %s", n, n < 0 ? "" : text);
    while (fgets(line, sizeof line, stdin)) {
        printf("[%zu]", strlen(line));
        if (strchr(line, '\n')) break;
    }
    n = getdelim(&text, &capacity, 'o', stdin);
    printf("\n%zd %s\n", n, n < 0 ? "" : text);
    size_t got = fread(line, 1, 5, stdin);
    printf("%zu %.*s\n", got, (int)got, line);
    while ((c = getc(stdin)) != EOF) putchar(c);
    printf("\n%d %d %d\n", feof(stdin) != 0, ferror(stdin), fgets(line, 5, stdin) == NULL);
    printf("%zd\n", getline(&text, &capacity, stdin));
    free(text);
    clearerr(stdin);
    printf("%d %d\n", feof(stdin), getchar());
    return 0;
}
