/* A number as JSON writes it: sign, digits, fraction, exponent. */
#include <stdio.h>

int main(void)
{
    int next = getchar(), negative = 0, places = 0;
    long mantissa = 0;
    if (next == '-') {
        negative = 1;
        next = getchar();
    }
    if (next < '0' || next > '9')
        return puts("a digit is missing"), 1;
    if (next == '0')
        next = getchar();
    else
        for (; next >= '0' && next <= '9'; next = getchar())
            mantissa = 10 * mantissa + next - '0';
    if (next == '.') {
        next = getchar();
        if (next < '0' || next > '9')
            return puts("a digit is missing after the point"), 1;
        for (; next >= '0' && next <= '9'; next = getchar(), places++)
            mantissa = 10 * mantissa + next - '0';
    }
    if (next == 'e' || next == 'E') {
        int sign = 1, exponent = 0;
        next = getchar();
        if (next == '+' || next == '-') {
            sign = next == '-' ? -1 : 1;
            next = getchar();
        }
        if (next < '0' || next > '9')
            return puts("a digit is missing in the exponent"), 1;
        for (; next >= '0' && next <= '9'; next = getchar())
            exponent = 10 * exponent + next - '0';
        places -= sign * exponent;
    }
    if (next != EOF)
        return puts("something follows the number"), 1;
    printf("%ld * 10^%d\n", negative ? -mantissa : mantissa, -places);
    return 0;
}
