#include <string.h>
#define FAST_FUNC
