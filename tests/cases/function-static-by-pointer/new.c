static int limit=3; static int*p=&limit; void set(int n){*p=n;}

int f(void){return 3;}
