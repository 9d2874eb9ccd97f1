/* Lines, words and numbers of standard input, by character classes. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int next, lines = 0, words = 0, numbers = 0, inside = 0;
    while ((next = getchar()) != EOF) {
        lines += next == '\n';
        if (isspace(next))
            inside = 0;
        else if (!inside) {
            inside = 1;
            if (isdigit(next))
                numbers++;
            else if (isalpha(next))
                words++;
        }
    }
    printf("%d %d %d\n", lines, words, numbers);
    return 0;
}
