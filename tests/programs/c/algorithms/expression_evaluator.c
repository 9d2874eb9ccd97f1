// A recursive-descent calculator reading expressions from stdin, with error reports on stderr.
//@ stdin: 1+2*3\n(1+2)*3\n-4^2\n2^3^2\n10/4-0.5\n((7))\n1/0\n3 +\n2*(3\nfoo\nmin(3,-2)+max(1,9)\n1.5e3%7\n
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at, *error;
static double expression(void);
static void skip(void) { while (*at == ' ') at++; }
static int accept(char c) { skip(); return *at == c ? at++, 1 : 0; }
static double call(int larger) {
    double a = expression();
    if (!accept(',')) error = "comma expected";
    double b = expression();
    if (!accept(')')) error = "unclosed call";
    return (a > b) == larger ? a : b;
}
static double atom(void) {
    skip();
    if (accept('(')) { double v = expression(); if (!accept(')')) error = "unclosed parenthesis"; return v; }
    if (isdigit((unsigned char)*at) || *at == '.') { char *end; double v = strtod(at, &end); at = end; return v; }
    if (!strncmp(at, "min(", 4)) { at += 4; return call(0); }
    if (!strncmp(at, "max(", 4)) { at += 4; return call(1); }
    error = "operand expected";
    return 0;
}
static double power(void) {
    double base = atom();
    if (!accept('^')) return base;
    double exponent = power(), result = 1;
    for (int i = 0; i < (int)exponent; i++) result *= base;
    return result;
}
static double unary(void) { return accept('-') ? -unary() : power(); }
static double term(void) {
    double v = unary();
    for (;;) {
        if (accept('*')) v *= unary();
        else if (accept('/')) { double d = unary(); if (d == 0) error = "division by zero"; else v /= d; }
        else if (accept('%')) v = fmod(v, unary());
        else return v;
    }
}
static double expression(void) {
    double v = term();
    for (;;) {
        if (accept('+')) v += term();
        else if (accept('-')) v -= term();
        else return v;
    }
}

int main(void) {
    char line[100];
    int failed = 0;
    for (int n = 1; fgets(line, sizeof line, stdin); n++) {
        line[strcspn(line, "\n")] = 0;
        at = line, error = NULL;
        double v = expression();
        if (!error && *at) error = "trailing text";
        if (error) fprintf(stderr, "line %d column %d: %s\n", n, (int)(at - line) + 1, error), failed++;
        else printf("%s = %.10g\n", line, v);
    }
    return failed;
}
