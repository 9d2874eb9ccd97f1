#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>
