#include <string.h>
char *f(char *s){ char *p; return strtok_r(s,",",&p); }
