#include <limits.h>
#include <time.h>
