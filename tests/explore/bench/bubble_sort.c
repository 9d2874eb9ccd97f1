// Bubble sort of 6 symbolic numbers: one path for each order, 720 in all.
//@ run: zeros
#include "../../../crates/concolic-vm/include/parallax.h"
#include <stdio.h>

enum { COUNT = 6 };

int main(void) {
    int values[COUNT];
    parallax_symbolic(values, sizeof values, "values");
    for (int end = COUNT - 1; end > 0; end--) {
        for (int i = 0; i < end; i++) {
            if (values[i] > values[i + 1]) {
                int larger = values[i];
                values[i] = values[i + 1];
                values[i + 1] = larger;
            }
        }
    }
    puts("sorted");
    return 0;
}
