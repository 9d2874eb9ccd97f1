#include <stddef.h>
#define MAXUNICODE 0x10FFFFu
#define MAXUTF 0x7FFFFFFFu
typedef unsigned int utfint;
