struct s{char c;int i;};

int f(struct s*a,struct s*b){ return a->c==b->c&&a->i==b->i; }
