void *f(int x){ return x>0 ? (void*)1 : 0; }
