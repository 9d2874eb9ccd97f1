// _Thread_local variables in one thread: initialisers, zero, arrays, pointers, in functions.
#include <stdio.h>
#include <string.h>

static _Thread_local int counter = 7;
_Thread_local long zeroed[5];
static _Thread_local struct { char name[8]; double weight; } item = {"start", 2.5};
static __thread const char *message = "initial";
extern _Thread_local int declared;
_Thread_local int declared = -3;

static int tick(void) { static _Thread_local int calls; return ++calls + counter++; }
static int *address(void) { return &counter; }

int main(void) {
    printf("%d %d %d\n", tick(), 0, counter);
    for (int i = 0; i < 5; i++) zeroed[i] += i * tick();
    printf("%ld %ld %ld %d\n", zeroed[0], zeroed[2], zeroed[4], counter);
    *address() = 100;
    printf("%d %d\n", tick(), *address());
    strcat(item.name, "ed"), item.weight *= 2;
    printf("%s %g %s %d\n", item.name, item.weight, message, declared);
    message = item.name, declared ^= 5;
    printf("%s %d %d\n", message, declared, address() == &counter);
    return 0;
}
