#include <unistd.h>
int f(int x){ return dup2(2,2); }
