// abs, labs, div, ldiv, lldiv, and a private generator (rand only for its range and repeatability).
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %ld %lld %d\n", abs(-5), labs(LONG_MIN + 1), llabs(-(1LL << 40)), abs(INT_MAX));
    for (int n = -7; n <= 7; n += 7)
        for (int d = -2; d <= 2; d += 4) {
            div_t q = div(n, d);
            ldiv_t lq = ldiv(n * 1000000007L, d);
            lldiv_t llq = lldiv(n * 3LL, d * 5LL);
            printf("%d %d %ld %ld %lld %lld\n", q.quot, q.rem, lq.quot, lq.rem, llq.quot, llq.rem);
        }
    srand(5);
    int first = rand(), second = rand();
    srand(5);
    printf("%d %d\n", rand() == first, rand() == second);
    int in_range = 1;
    for (int i = 0; i < 1000; i++) { int r = rand(); in_range &= r >= 0 && r <= RAND_MAX; }
    unsigned seed = 9, again = 9;
    printf("%d %d\n", in_range, rand_r(&seed) == rand_r(&again) && seed == again);
    unsigned short state[3] = {1, 2, 3};
    printf("%ld %ld %.10f\n", nrand48(state), jrand48(state), erand48(state));
    srand48(42);
    printf("%ld %ld %.10f\n", lrand48(), mrand48(), drand48());
    long a = a64l("abc./");
    printf("%ld %s\n", a, l64a(a));
    return 0;
}
