/* The host's values, where musl's <fcntl.h> has others. */

#include_next <fcntl.h>

#ifndef PARALLAX_HOST_FCNTL_H
#define PARALLAX_HOST_FCNTL_H
#ifdef O_ACCMODE
#undef O_ACCMODE
#define O_ACCMODE 3
#endif
#ifdef O_LARGEFILE
#undef O_LARGEFILE
#define O_LARGEFILE 0
#endif
#endif
