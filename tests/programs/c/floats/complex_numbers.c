// Complex arithmetic, by value, in arrays and structs; a small discrete Fourier transform of length 8.
#include <complex.h>
#include <stdio.h>

static double complex rotate(double complex z, int quarter) { static const double complex unit[] = {1, I, -1, -I}; return z * unit[quarter & 3]; }
static float complex narrow(double complex z) { return (float complex)z; }
struct wave { double complex amplitude; int index; };
static struct wave make(int n) { return (struct wave){n + (n * 0.5 - 1) * I, n}; }

int main(void) {
    double complex z = 3 - 4 * I, w = __builtin_complex(0.5, 2.0);
    printf("%g%+gi %g%+gi %g%+gi\n", creal(z + w), cimag(z + w), creal(z - w), cimag(z - w), creal(z * w), cimag(z * w));
    printf("%g%+gi %d %d\n", creal(conj(z)), cimag(-z), z == conj(conj(z)), z != w);
    for (int q = 0; q < 5; q++) printf("%g%+gi ", creal(rotate(z, q)), cimag(rotate(z, q)));
    float complex f = narrow(z * 0.1);
    printf("\n%a %a\n", (double)crealf(f), (double)cimagf(f));
    double complex power = 1;
    for (int i = 0; i < 10; i++) power *= w, power += i;
    printf("%.17g %.17g\n", creal(power), cimag(power));
    double complex sum = 0;
    for (int i = 0; i < 5; i++) { struct wave v = make(i); sum += v.amplitude * v.index; }
    printf("%g %g\n", creal(sum), cimag(sum));
    static const double half = 0.70710678118654757;
    const double complex root[8] = {1, __builtin_complex(half, -half), -I, __builtin_complex(-half, -half), -1, __builtin_complex(-half, half), I, __builtin_complex(half, half)};
    const double signal[8] = {1, 2, 0, -1, 1.5, 0, 0.25, -2};
    for (int k = 0; k < 8; k++) {
        double complex s = 0;
        for (int n = 0; n < 8; n++) s += signal[n] * root[k * n % 8];
        printf("%.12g %.12g\n", creal(s), cimag(s));
    }
    printf("%zu %zu\n", sizeof z, sizeof f);
    return 0;
}
