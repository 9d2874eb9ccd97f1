// Newton, bisection, Simpson, Gauss elimination and Kahan summation with exact arithmetic only.
#include <math.h>
#include <stdio.h>

static double newton(double a) { double x = a; for (int i = 0; i < 60; i++) x = 0.5 * (x + a / x); return x; }
static double bisect(double (*f)(double), double low, double high) {
    for (int i = 0; i < 80; i++) {
        double middle = (low + high) / 2;
        if (f(middle) * f(low) <= 0) high = middle; else low = middle;
    }
    return low;
}
static double cubic(double x) { return x * x * x - 2 * x - 5; }
static double simpson(double (*f)(double), double a, double b, int n) {
    double h = (b - a) / n, s = f(a) + f(b);
    for (int i = 1; i < n; i++) s += f(a + i * h) * (i % 2 ? 4 : 2);
    return s * h / 3;
}
static void solve(double m[4][5]) {
    for (int i = 0; i < 4; i++) {
        int pivot = i;
        for (int r = i + 1; r < 4; r++) if (fabs(m[r][i]) > fabs(m[pivot][i])) pivot = r;
        for (int c = 0; c < 5; c++) { double t = m[i][c]; m[i][c] = m[pivot][c], m[pivot][c] = t; }
        for (int r = 0; r < 4; r++) {
            if (r == i) continue;
            double factor = m[r][i] / m[i][i];
            for (int c = i; c < 5; c++) { double product = factor * m[i][c]; m[r][c] -= product; }
        }
    }
    for (int i = 0; i < 4; i++) printf("%a ", m[i][4] / m[i][i]);
    putchar('\n');
}

int main(void) {
    for (int i = 1; i < 20; i += 3) printf("%a %a\n", newton(i), sqrt(i));
    printf("%a %.15g\n", bisect(cubic, 2, 3), simpson(cubic, 0, 4, 100));
    double m[4][5] = {{2, 1, -1, 3, 8}, {-3, -1, 2, 1, -11}, {-2, 1, 2, 0.5, -3}, {1, 1, 1, 1, 1}};
    solve(m);
    double sum = 0, compensation = 0, plain = 0;
    for (int i = 1; i <= 5000; i++) {
        double y = 1.0 / i - compensation, t = sum + y;
        compensation = (t - sum) - y, sum = t, plain += 1.0 / i;
    }
    printf("%a %a %a\n", sum, plain, compensation);
    return 0;
}
