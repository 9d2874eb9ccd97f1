static int a(int x){return x;} static int b(int x){return -x-1;} static int(*t)(int)=a; void set(void){t=b;} int f(int x){ return t(x); }
