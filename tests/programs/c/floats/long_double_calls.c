// long double as parameter, result, struct member, array element and through pointers.
#include <stdarg.h>
#include <stdio.h>

struct point { long double x, y; };
struct tagged { char tag; long double value; float f; };

static long double mean(const long double *v, int n) { long double s = 0; for (int i = 0; i < n; i++) s += v[i]; return s / n; }
static struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }
static struct tagged tag(char c, long double v) { return (struct tagged){c, v, (float)v}; }
static long double mixed(int a, long double b, double c, long double d, float e, int f) { return a + b * c - d / e + f; }
static long double sum(int n, ...) {
    va_list list;
    long double s = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) s += i % 2 ? (long double)va_arg(list, int) : va_arg(list, long double);
    va_end(list);
    return s;
}
static long double (*const table[])(long double) = {0};

int main(void) {
    long double values[7];
    for (int i = 0; i < 7; i++) values[i] = 1.0L / (i + 1);
    printf("%.20Lf\n", mean(values, 7));
    struct point p = {0, 0};
    for (int i = 0; i < 10; i++) p = add(p, (struct point){0.1L * i, 1.0L / (i + 3)});
    printf("%.20Lf %.20Lf\n", p.x, p.y);
    struct tagged t = tag('q', 2.0L / 7);
    printf("%c %.20Lf %.9g %zu\n", t.tag, t.value, (double)t.f, sizeof t);
    printf("%.18Lf\n", mixed(1, 2.5L, 3.25, 1.0L, 3.0f, 100));
    printf("%.18Lf\n", sum(6, 1.5L, 2, 3.25L, 4, 0.125L, 6));
    long double *q = &values[2], swap = *q;
    values[2] = values[3], values[3] = swap;
    printf("%.19Lf %.19Lf %td %d\n", q[0], q[1], &values[6] - q, table[0] == 0);
    long double x = 1;
    int n = 0;
    while (1 + x != 1) x /= 2, n++;
    printf("%d\n", n);
    return 0;
}
