// The classes of the C library, which are tables or arithmetic.
//@ explore: --sym-stdin 1
//@ run: letter
//@ stdin: Q
//@ run: blank
//@ stdin: \t
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    int classes = 0;
    if (isalpha(c)) classes |= 1;
    if (isdigit(c)) classes |= 2;
    if (isspace(c)) classes |= 4;
    if (ispunct(c)) classes |= 8;
    if (isxdigit(c)) classes |= 16;
    if (toupper(c) != c) classes |= 32;
    printf("%d\n", classes);
    return 0;
}
