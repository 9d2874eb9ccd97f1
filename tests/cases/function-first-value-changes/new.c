static int count=1;
int f(void){ return count++; }
