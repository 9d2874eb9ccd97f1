#include <stdlib.h>

struct t{char*a,*b;};

struct t f(int x){ char*p=malloc(4); p[0]=9;p[1]=2;p[2]=3;p[3]=0; return (struct t){p+2,p}; }
