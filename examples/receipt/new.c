/* Prints a line of a receipt: receipt COUNT [CODE]. The code s means the reduction for staff. */
#include <stdio.h>
#include <stdlib.h>

enum { PRICE = 24, WHOLE = 100, STAFF = 80 };

static int percent(char code) {
    return code == 's' ? STAFF : WHOLE;
}

static int total(int count, char code) {
    return PRICE * count * percent(code) / WHOLE;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    int count = atoi(argv[1]);
    if (count < 1) {
        fprintf(stderr, "receipt: the count must be at least 1\n");
        return 1;
    }
    printf("%d x %d = %d\n", count, PRICE, total(count, argc > 2 ? argv[2][0] : 0));
    return 0;
}
