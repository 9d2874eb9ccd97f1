#include <stdlib.h>
#include <stdint.h>

uintptr_t f(int x){ int *p=malloc(4); *p=x; return (uintptr_t)p; }
