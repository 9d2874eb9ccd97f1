// qsort of three values of two bits each.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: 9
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

int main(void) {
    int c = getchar();
    if (c == EOF || c >= 64) return 9;
    int values[3] = {c & 3, c >> 2 & 3, c >> 4 & 3};
    qsort(values, 3, sizeof values[0], ascending);
    if (values[0] == values[2]) puts("all the same");
    else if (values[1] == values[0] || values[1] == values[2]) puts("two the same");
    else puts("all different");
    return values[1];
}
