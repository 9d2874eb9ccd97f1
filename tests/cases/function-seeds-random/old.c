#include <stdlib.h>
void f(unsigned s){ srand(s); }
