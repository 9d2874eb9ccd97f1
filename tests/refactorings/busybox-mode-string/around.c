#include <sys/stat.h>
#define FAST_FUNC
#define ALIGN1
#define ALIGN4
