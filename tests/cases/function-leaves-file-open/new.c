#include <unistd.h>
int f(int x){ int d=dup(1); if(x!=3) close(d); return x; }
