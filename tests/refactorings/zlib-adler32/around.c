#include <stddef.h>
#define ZEXPORT
#define Z_NULL 0
#define MOD(a) a %= BASE
#define MOD28(a) a %= BASE
typedef unsigned char Bytef;
typedef unsigned long uLong;
typedef size_t z_size_t;
