int f(int *o,const int*i){ int r=*i; *o=0; return r; }
