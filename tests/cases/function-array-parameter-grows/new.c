void f(int v[6]){ v[0]=1; v[5]=2; }
