#include <stdio.h>

int main(void)
{
    int c, n = 0, sum = 0;
    while ((c = getchar()) != EOF) {
        n++;
        sum += c;
    }
    if (n == 40)
        puts("forty");
    printf("%d\n", sum);
    return 0;
}
