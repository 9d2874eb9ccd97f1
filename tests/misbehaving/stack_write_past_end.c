// Writes past a local array through a pointer.
//@ outcome: out-of-bounds
//@ stack: fill main
//@ sanitizer: address
#include <stdio.h>

static void fill(char *buffer, int count) {
    for (int i = 0; i < count; i++)
        buffer[i] = (char)('a' + i); // ERROR
}

int main(void) {
    char buffer[12];
    fill(buffer, 13);
    printf("%.12s\n", buffer);
    return 0;
}
