// Division and remainder with signs; zero is excluded by the program.
//@ explore: --sym-stdin 2
//@ run: some
//@ stdin: \xf9\x04
#include <stdio.h>

int main(void) {
    int a = getchar(), b = getchar();
    if (b == EOF) return 9;
    signed char dividend = (signed char)a, divisor = (signed char)b;
    if (divisor < -3 || divisor > 3) return 1;
    if (divisor == 0) {
        puts("zero");
        return 2;
    }
    if (dividend / divisor > 40) puts("large");
    if (dividend % divisor < 0) puts("negative remainder");
    return (unsigned char)dividend / (divisor * divisor) == 7 ? 3 : 0;
}
