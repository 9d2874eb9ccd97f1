struct s{int v[2];int k;}; struct s g;
void f(int x){ g.v[0]=x; g.k=1; }
int rd(int i){return g.v[i];}
