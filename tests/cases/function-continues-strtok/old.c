#include <string.h>
char *f(char *s){ return strtok(s,","); }
