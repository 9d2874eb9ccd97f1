#include <stdlib.h>

union u{void*p;long n;};

union u f(int x){ union u r; int*p=malloc(4);*p=x; r.p=p; return r; }
