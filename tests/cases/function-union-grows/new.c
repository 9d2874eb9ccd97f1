union u{unsigned char b[3];unsigned char c[5];}; union u g;
void f(int x){ g.b[0]=x; g.c[4]=x; }
