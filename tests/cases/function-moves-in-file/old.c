#include <fcntl.h>
#include <unistd.h>
int f(int x){ int d=open("a",O_RDWR|O_CREAT,0600); write(d,"ab",2); return d; }
