#include <stdio.h>
int f(void){ int c=getchar(); getchar(); return c; }
