// A search loop that never advances: ends at the step limit.
//@ outcome: step-limit
//@ max-steps: 1000000
//@ stack: search main
//@ sanitizer: none(an endless loop is no memory error, and does not end natively)
#include <stdio.h>

static int search(const int *values, int count, int wanted) {
    int low = 0, high = count;
    while (low < high) { // ERROR
        int middle = (low + high) / 2; // ERROR
        if (values[middle] < wanted) // ERROR
            low = middle; // ERROR
        else // ERROR
            high = middle; // ERROR
    } // ERROR
    return low;
}

int main(void) {
    static const int values[] = {1, 3, 5, 7, 9, 11};
    printf("%d\n", search(values, 6, 12));
    return 0;
}
