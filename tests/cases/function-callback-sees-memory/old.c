int f(void(*g)(int*),int*p){*p=1;g(p);return 1;}
