static int count=0;
int f(void){ return count++; }
