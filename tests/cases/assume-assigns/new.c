int f(int *p){ return p[0]==2?5:p[0]; }
