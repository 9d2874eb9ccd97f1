struct s{int v[3];int k;}; struct s g;
void f(int x){ g.v[0]=x; g.v[2]=x; g.k=1; }
int rd(int i){return g.v[i];}
