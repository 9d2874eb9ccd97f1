// The copy of a struct that is passed by value ends with its call, so many calls need no more memory
// than one.
#include <stdio.h>

struct readings {
    long values[10];
};

static long fourth(struct readings readings) {
    readings.values[0]++;
    return readings.values[3];
}

int main(void) {
    struct readings readings = {{1, 2, 3, 4}};
    long sum = 0;
    for (int round = 0; round < 200000; round++)
        sum += fourth(readings);
    printf("%ld %ld\n", sum, readings.values[0]);
    return 0;
}
