// Dereferences an integer that never was an address.
//@ outcome: wild-dereference
//@ stack: load main
//@ sanitizer: address
#include <stdint.h>
#include <stdio.h>

static long load(uintptr_t address) {
    return *(long *)address; // ERROR
}

int main(void) {
    long real = 7;
    printf("%ld\n", load((uintptr_t)&real));
    fflush(stdout);
    printf("%ld\n", load(0x5eadbeef00000018u));
    return 0;
}
