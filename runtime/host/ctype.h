/* The host's <ctype.h>: the functions alone. musl's macros give 1 where the host gives the class's bit. */

#include_next <ctype.h>

#undef isalpha
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef isspace
#undef isupper
