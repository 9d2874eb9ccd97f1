#define LIM 4
int f(int n){ return n; }
