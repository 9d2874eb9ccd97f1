#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#define _GL_CMP(a, b) (((a) > (b)) - ((a) < (b)))
