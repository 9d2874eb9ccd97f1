/* calc: evaluates expressions of whole numbers.
 *
 *   calc EXPRESSION      prints its value
 *   calc                 one expression a line of standard input
 *
 * Operators: + - * / % and unary minus, with parentheses. Errors are reported with their column.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum error { OK, SYNTAX, DIVISION, OVERFLOW, DEPTH };

struct parser {
    const char *text;
    int at;
    int depth;
    enum error error;
};

#define MAX_DEPTH 10

static long expression(struct parser *p);

static void skip_blanks(struct parser *p)
{
    while (p->text[p->at] == ' ' || p->text[p->at] == '\t')
        p->at++;
}

static long fail(struct parser *p, enum error error)
{
    if (p->error == OK)
        p->error = error;
    return 0;
}

static long number(struct parser *p)
{
    long value = 0;
    while (isdigit((unsigned char)p->text[p->at])) {
        int digit = p->text[p->at] - '0';
        if (value > (LONG_MAX - digit) / 10)
            return fail(p, OVERFLOW);
        value = value * 10 + digit;
        p->at++;
    }
    return value;
}

static long factor(struct parser *p)
{
    long value;
    skip_blanks(p);
    if (p->error != OK)
        return 0;
    if (isdigit((unsigned char)p->text[p->at]))
        return number(p);
    if (p->text[p->at] == '-') {
        p->at++;
        if (++p->depth > MAX_DEPTH)
            return fail(p, DEPTH);
        value = factor(p);
        p->depth--;
        if (value == LONG_MIN)
            return fail(p, OVERFLOW);
        return -value;
    }
    if (p->text[p->at] == '(') {
        p->at++;
        if (++p->depth > MAX_DEPTH)
            return fail(p, DEPTH);
        value = expression(p);
        p->depth--;
        skip_blanks(p);
        if (p->text[p->at] != ')')
            return fail(p, SYNTAX);
        p->at++;
        return value;
    }
    return fail(p, SYNTAX);
}

static long term(struct parser *p)
{
    long value = factor(p);
    for (;;) {
        char operator;
        long right;
        skip_blanks(p);
        operator = p->text[p->at];
        if (p->error != OK || (operator != '*' && operator != '/' && operator != '%'))
            return value;
        p->at++;
        right = factor(p);
        if (operator == '*') {
            if (__builtin_mul_overflow(value, right, &value))
                return fail(p, OVERFLOW);
        } else {
            if (right == 0)
                return fail(p, DIVISION);
            if (value == LONG_MIN && right == -1)
                return fail(p, OVERFLOW);
            if (operator == '/')
                value /= right;
            else
                value %= right;
        }
    }
}

static long expression(struct parser *p)
{
    long value = term(p);
    for (;;) {
        char operator;
        long right;
        int overflow;
        skip_blanks(p);
        operator = p->text[p->at];
        if (p->error != OK || (operator != '+' && operator != '-'))
            return value;
        p->at++;
        right = term(p);
        if (operator == '+')
            overflow = __builtin_add_overflow(value, right, &value);
        else
            overflow = __builtin_sub_overflow(value, right, &value);
        if (overflow)
            return fail(p, OVERFLOW);
    }
}

static int evaluate(const char *text)
{
    static const char *const messages[] = {
        "", "syntax error", "division by zero", "overflow", "too deep"};
    struct parser p = {text, 0, 0, OK};
    long value = expression(&p);

    if (p.error == OK && p.text[p.at] != '\0')
        p.error = SYNTAX;
    if (p.error != OK) {
        fprintf(stderr, "column %d: %s\n", p.at + 1, messages[p.error]);
        return 1;
    }
    printf("%ld\n", value);
    return 0;
}

int main(int argc, char **argv)
{
    char line[200];
    int status = 0;

    if (argc == 2)
        return evaluate(argv[1]);
    if (argc > 2) {
        fprintf(stderr, "usage: calc [EXPRESSION]\n");
        return 2;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            status |= evaluate(line);
    }
    return status;
}
