#include <sys/stat.h>
void f(void){ umask(0); }
