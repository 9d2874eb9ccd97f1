/* NUMBER OPERATOR NUMBER as arguments; numbers may be negative. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_number(const char *text)
{
    if (*text == '-')
        text++;
    if (!*text)
        return 0;
    return text[strspn(text, "0123456789")] == '\0';
}

int main(int argc, char **argv)
{
    if (argc != 4 || !is_number(argv[1]) || !is_number(argv[3]) || strlen(argv[2]) != 1)
        return fputs("syntax error\n", stderr), 2;
    long left = strtol(argv[1], NULL, 10), right = strtol(argv[3], NULL, 10), result;
    switch (argv[2][0]) {
    case '+': result = left + right; break;
    case '-': result = left - right; break;
    case '*': result = left * right; break;
    case '<': result = left < right; break;
    case '=': result = left == right; break;
    case '/':
    case '%':
        if (right == 0)
            return fputs("division by zero\n", stderr), 2;
        result = argv[2][0] == '/' ? left / right : left % right;
        break;
    default: return fputs("syntax error\n", stderr), 2;
    }
    printf("%ld\n", result);
    return result == 0;
}
