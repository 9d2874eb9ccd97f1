#include <stdlib.h>
int f(int s){ return setenv("X",s?"1":"2",1); }
