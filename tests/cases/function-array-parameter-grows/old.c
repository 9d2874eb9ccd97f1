void f(int v[4]){ v[0]=1; }
