#define _GNU_SOURCE
#include <sys/stat.h>
#define S_ISCTG(mode) 0
#define S_ISDOOR(mode) 0
#define S_ISMPB(mode) 0
#define S_ISMPC(mode) 0
#define S_ISMPX(mode) 0
#define S_ISNWK(mode) 0
#define S_ISPORT(mode) 0
#define S_ISWHT(mode) 0
