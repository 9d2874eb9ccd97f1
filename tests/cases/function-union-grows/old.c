union u{unsigned char b[3];}; union u g;
void f(int x){ g.b[0]=x; }
