static int t[100]; void set(int i,int v){t[i%100]=v;}

int f(void){return t[50];}
