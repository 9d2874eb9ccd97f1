#include <string.h>
#include <libgen.h>
