#include <unistd.h>
int f(int x){ int d=dup(1); close(d); return x; }
