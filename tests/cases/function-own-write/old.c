#include <stddef.h>
#include <sys/types.h>
ssize_t write(int fd,const void*b,size_t n){ return n; }
int f(int x){ return x; }
