#include <stdbool.h>
#include <string.h>
#define FILE_SYSTEM_PREFIX_LEN(name) 0
#define ISSLASH(c) ((c) == '/')
