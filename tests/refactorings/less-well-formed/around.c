#include <string.h>
#define public
#define IS_UTF8_INVALID(c) ((c) >= 0xfe)
#define IS_UTF8_TRAIL(c) ((c) >= 0x80 && (c) < 0xc0)
