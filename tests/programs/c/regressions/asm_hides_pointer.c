// An empty assembly that ties a number to a pointer, or the other way round, is a change of type.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int value = 7;
    uintptr_t number;
    __asm__("" : "=r"(number) : "0"(&value));
    printf("%d\n", *(int *)number);
    int *pointer;
    __asm__("" : "=r"(pointer) : "0"(number));
    *pointer += 1;
    printf("%d\n", value);
    return 0;
}
