/* A calculator: sums, differences, products and quotients from left to right. */
#include <ctype.h>
#include <stdio.h>

static int number(int *next)
{
    int value = 0;
    while (isdigit(*next)) {
        value = 10 * value + (*next - '0');
        *next = getchar();
    }
    return value;
}

int main(void)
{
    int next = getchar();
    int result = number(&next);
    while (next == '+' || next == '-' || next == '*' || next == '/') {
        int operation = next;
        next = getchar();
        int operand = number(&next);
        if (operation == '+')
            result += operand;
        else if (operation == '-')
            result -= operand;
        else if (operation == '*')
            result *= operand;
        else if (operand == 0)
            return puts("division by zero"), 1;
        else
            result /= operand;
    }
    printf("%d\n", result);
    return 0;
}
