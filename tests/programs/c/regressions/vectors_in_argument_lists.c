// Structs of floats and vectors passed through `...`: their elements lie side by side.
#include <stdarg.h>
#include <stdio.h>

typedef float Four __attribute__((vector_size(16)));
typedef float Two __attribute__((vector_size(8)));
typedef short Shorts __attribute__((vector_size(4)));
struct Point { float x, y; };
struct Space { float x, y, z; };
struct Colour { float r, g, b, a; };
struct Mixed { double a; float b; };
struct Holder { Four four; };

static void structs(int first, ...) {
    va_list list;
    va_start(list, first);
    struct Point p = va_arg(list, struct Point);
    struct Space s = va_arg(list, struct Space);
    int between = va_arg(list, int);
    struct Colour c = va_arg(list, struct Colour);
    struct Mixed m = va_arg(list, struct Mixed);
    double last = va_arg(list, double);
    va_end(list);
    printf("%g %g, %g %g %g, %d\n", p.x, p.y, s.x, s.y, s.z, between);
    printf("%g %g %g %g, %g %g, %g\n", c.r, c.g, c.b, c.a, m.a, m.b, last);
}

static void vectors(int first, ...) {
    va_list list;
    va_start(list, first);
    int before = va_arg(list, int);
    Four four = va_arg(list, Four);
    Two two = va_arg(list, Two);
    Shorts shorts = va_arg(list, Shorts);
    struct Holder holder = va_arg(list, struct Holder);
    int after = va_arg(list, int);
    va_end(list);
    printf("%d %g %g %g %g %g %g %d %d\n", before, four[0], four[1], four[2], four[3], two[0], two[1],
           shorts[0], shorts[1]);
    printf("%g %g %d\n", holder.four[0], holder.four[3], after);
}

int main(void) {
    struct Point p = {1, 2};
    struct Space s = {3, 4, 5};
    struct Colour c = {6, 7, 8, 9};
    struct Mixed m = {10, 11};
    structs(0, p, s, 42, c, m, 12.5);
    struct Holder h = {{5, 6, 7, 8}};
    vectors(0, 41, (Four){1, 2, 3, 4}, (Two){5, 6}, (Shorts){-7, 8}, h, 43);
    void (*pointer)(int, ...) = structs;
    pointer(0, p, s, 44, c, m, -0.5);
    return 0;
}
