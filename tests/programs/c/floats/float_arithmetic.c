// Single-precision and double-precision arithmetic hashed bit for bit over many operands.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash = 14695981039346656037u;
static void add_double(double d) { uint64_t u; memcpy(&u, &d, 8); hash = (hash ^ u) * 1099511628211u; }
static void add_float(float f) { uint32_t u; memcpy(&u, &f, 4); hash = (hash ^ u) * 1099511628211u; }
static uint64_t state = 42;
static uint64_t next(void) { return state = state * 6364136223846793005u + 1442695040888963407u, state >> 11; }

int main(void) {
    for (int i = 0; i < 3000; i++) {
        double a = (double)next() / 9007199254740992.0 * 1e6 - 5e5, b = (double)(next() | 1) / 4503599627370496.0;
        float x = (float)a, y = (float)b;
        add_double(a + b), add_double(a - b), add_double(a * b), add_double(a / b), add_double(-a);
        add_float(x + y), add_float(x - y), add_float(x * y), add_float(x / y), add_float(-y);
        add_double(x * b), add_float((float)(a * (double)y)), add_double((double)x * y);
        hash += (uint64_t)(int64_t)a + (uint64_t)(int32_t)x;
        if (i % 500 == 0) printf("%016llx\n", (unsigned long long)hash);
    }
    volatile float tenth = 0.1f, fifth = 0.2f;
    volatile double dtenth = 0.1, dfifth = 0.2;
    printf("%d %d\n", tenth + fifth == 0.3f, dtenth + dfifth == 0.3);
    printf("%.20g %.20g\n", (double)(tenth + fifth), dtenth + dfifth);
    float harmonic = 0, backwards = 0;
    for (int i = 1; i <= 10000; i++) harmonic += 1.0f / (float)i;
    for (int i = 10000; i >= 1; i--) backwards += 1.0f / (float)i;
    printf("%a %a\n", (double)harmonic, (double)backwards);
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
