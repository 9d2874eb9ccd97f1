#include <stdio.h>
int f(void){ int c=getchar(); return c; }
