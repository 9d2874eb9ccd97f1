/* Prints a line of a receipt: receipt COUNT [CODE]. The code s means the reduction for staff. */
#include <stdio.h>
#include <stdlib.h>

enum { PRICE = 24 };

static int total(int count, char code) {
    int total = PRICE * count;
    if (code == 's')
        total -= total / 5;
    return total;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    int count = atoi(argv[1]);
    if (count < 1) {
        fprintf(stderr, "receipt: bad count\n");
        return 1;
    }
    printf("%d x %d = %d\n", count, PRICE, total(count, argc > 2 ? argv[2][0] : 0));
    return 0;
}
