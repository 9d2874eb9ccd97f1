#include <stdbool.h>
#include <stddef.h>
#define _GL_ATTRIBUTE_CONST
