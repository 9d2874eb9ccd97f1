#include <stddef.h>
#define FAST_FUNC
