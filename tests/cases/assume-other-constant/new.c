#define LIM 8
int f(int n){ return n; }
