// Large structs by value: copies are independent, arguments do not alias the caller's object.
#include <stdio.h>
#include <string.h>

struct matrix { int rows, columns; long cell[6][6]; char name[24]; };

static struct matrix identity(int n) {
    struct matrix m = {n, n, {{0}}, "identity"};
    for (int i = 0; i < n; i++) m.cell[i][i] = 1;
    return m;
}
static struct matrix multiply(struct matrix a, struct matrix b) {
    struct matrix r = {a.rows, b.columns, {{0}}, ""};
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.columns; j++)
            for (int k = 0; k < a.columns; k++) r.cell[i][j] += a.cell[i][k] * b.cell[k][j];
    strcpy(a.name, "scratch");
    snprintf(r.name, sizeof r.name, "%.8s*%.8s", a.name, b.name);
    return r;
}
static struct matrix power(struct matrix m, unsigned n) {
    if (n == 0) return identity(m.rows);
    struct matrix half = power(m, n / 2), square = multiply(half, half);
    return n % 2 ? multiply(square, m) : square;
}
static long trace(struct matrix m) { long t = 0; for (int i = 0; i < m.rows; i++) t += m.cell[i][i]; return t; }

int main(void) {
    struct matrix fib = {2, 2, {{1, 1}, {1, 0}}, "fib"};
    for (unsigned n = 0; n < 80; n += 9) {
        struct matrix p = power(fib, n);
        printf("%u %ld %ld %s %s\n", n, p.cell[0][1], trace(p), p.name, fib.name);
    }
    struct matrix a = identity(6), b = a, list[3] = {a, fib, b};
    a.cell[5][5] = 77;
    list[1] = list[0], list[0].cell[0][0] = 9;
    printf("%ld %ld %ld %ld\n", trace(a), trace(b), trace(list[0]), trace(list[1]));
    printf("%ld %zu\n", trace(multiply(list[0], a)), sizeof a);
    return 0;
}
