#include <string.h>
#define public
#define constant const
typedef unsigned long LWCHAR;
