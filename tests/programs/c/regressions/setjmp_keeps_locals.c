// A local that is changed after setjmp has its last value after longjmp, as everything in memory.
// C promises it for volatile locals, compilers that do not optimise keep it for all.
#include <setjmp.h>
#include <stdio.h>

#ifdef __OPTIMIZE__
#define LOCAL volatile int
#else
#define LOCAL int
#endif

static jmp_buf place;

static void again(int value) { longjmp(place, value); }

static int count_tries(int most) {
    LOCAL tries = 0;
    LOCAL value = setjmp(place);
    tries++;
    printf("try %d after %d\n", tries, value);
    if (tries < most) again(tries * 10);
    return tries;
}

static int parameter_too(LOCAL left) {
    LOCAL total = 0;
    if (_setjmp(place) == 1) total += 100;
    total += left;
    if (left-- > 0) again(1);
    return total;
}

int main(void) {
    printf("%d\n", count_tries(3));
    printf("%d\n", parameter_too(4));
    return 0;
}
