struct s{union{int a;};union{int b;};};

struct s f(int x){struct s r;r.a=x;r.b=1;return r;}
