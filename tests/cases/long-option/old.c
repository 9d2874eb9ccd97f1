#include <string.h>
int main(int c,char**v){ return c>1&&!strcmp(v[1],"--frobnicate-everything"); }
