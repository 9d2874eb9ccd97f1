int f(int *o,const int*i){ *o=0; return *i; }
