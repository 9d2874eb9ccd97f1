// strtol and strtod leave errno alone where there is no number; coreutils' printf relies on it.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *texts[] = {"", "x", "-", "  +", "12", "0x", "99999999999999999999", "nan(", "1e999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        errno = 0;
        long number = strtol(texts[i], &end, 0);
        printf("strtol(\"%s\") = %ld, %d read, errno %d\n", texts[i], number, (int)(end - texts[i]), errno);
        errno = 0;
        double real = strtod(texts[i], &end);
        printf("strtod(\"%s\") = %g, %d read, errno %d\n", texts[i], real, (int)(end - texts[i]), errno);
    }
    errno = 0;
    strtol("1", NULL, 99);
    printf("base 99: errno %d\n", errno);
    printf("real-time signals: %d to %d\n", SIGRTMIN, SIGRTMAX);
    return 0;
}
