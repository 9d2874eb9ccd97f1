/* Numbers read with scanf, and their sum printed. */
#include <stdio.h>

int main(void)
{
    int number, sum = 0;
    while (scanf("%d", &number) == 1)
        sum += number;
    printf("%d\n", sum);
    return 0;
}
