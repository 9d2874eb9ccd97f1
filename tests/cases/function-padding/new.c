#include <string.h>

struct s{char c;int i;};

int f(struct s*a,struct s*b){ return memcmp(a,b,sizeof*a)==0; }
