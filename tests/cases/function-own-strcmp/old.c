int strcmp(const char*a,const char*b){ return 0; }
int g1,g2; int *f(int x){ g1=g2=1; return &g1; }
