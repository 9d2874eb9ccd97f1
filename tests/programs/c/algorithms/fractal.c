// The Mandelbrot set in double, float and fixed point; where they disagree is counted.
#include <stdint.h>
#include <stdio.h>

static int iterate_double(double cx, double cy) { double x = 0, y = 0; int n = 0; for (; n < 60 && x * x + y * y < 4; n++) { double t = x * x - y * y + cx; y = 2 * x * y + cy, x = t; } return n; }
static int iterate_float(float cx, float cy) { float x = 0, y = 0; int n = 0; for (; n < 60 && x * x + y * y < 4; n++) { float t = x * x - y * y + cx; y = 2 * x * y + cy, x = t; } return n; }
static int iterate_fixed(int64_t cx, int64_t cy) {
    int64_t x = 0, y = 0;
    int n = 0;
    for (; n < 60 && x * x + y * y < (int64_t)4 << 40; n++) { int64_t t = ((x * x - y * y) >> 20) + cx; y = (x * y >> 19) + cy, x = t; }
    return n;
}

int main(void) {
    int float_differs = 0, fixed_differs = 0;
    long total = 0;
    for (int row = 0; row < 24; row++) {
        for (int column = 0; column < 64; column++) {
            double cx = -2.2 + column * 0.05, cy = -1.2 + row * 0.1;
            int n = iterate_double(cx, cy);
            float_differs += iterate_float((float)cx, (float)cy) != n;
            fixed_differs += iterate_fixed((int64_t)(cx * (1 << 20)), (int64_t)(cy * (1 << 20))) != n;
            total += n;
            putchar(" .:-=+*#%@"[n * 9 / 60]);
        }
        putchar('\n');
    }
    printf("%ld %d %d\n", total, float_differs, fixed_differs);
    return 0;
}
