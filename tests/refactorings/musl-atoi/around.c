#include <stdlib.h>
#include <ctype.h>
