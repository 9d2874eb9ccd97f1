/* Fractions read with scanf, and their sum printed. */
#include <stdio.h>

int main(void)
{
    float number, sum = 0;
    while (scanf("%f", &number) == 1)
        sum += number;
    printf("%.2f\n", sum);
    return 0;
}
