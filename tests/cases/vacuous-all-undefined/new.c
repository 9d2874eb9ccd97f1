#define N 8
int f(const int v[N]){ int s=v[7]; return s+1; }
