int f(void(*g)(int*),int*p){*p=2;g(p);*p=1;return 1;}
