#include <stdlib.h>
#include <string.h>

struct o{int v;int w;char*n;};

int*f(int x){struct o*o=malloc(sizeof*o);o->v=x;o->w=2;o->n=malloc(4);strcpy(o->n,"b");return &o->v;}
