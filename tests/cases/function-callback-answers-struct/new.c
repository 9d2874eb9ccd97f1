struct pt{int x,y;};
int f(struct pt (*g)(int),int k){ return g(k).y; }
