/* The host's answers, where musl's <unistd.h> has others. */

#include_next <unistd.h>

#ifndef PARALLAX_HOST_UNISTD_H
#define PARALLAX_HOST_UNISTD_H
#ifdef _POSIX_CHOWN_RESTRICTED
#undef _POSIX_CHOWN_RESTRICTED
#define _POSIX_CHOWN_RESTRICTED 0
#endif
#ifdef _POSIX_CPUTIME
#undef _POSIX_CPUTIME
#define _POSIX_CPUTIME 0
#endif
#ifdef _POSIX_MONOTONIC_CLOCK
#undef _POSIX_MONOTONIC_CLOCK
#define _POSIX_MONOTONIC_CLOCK 0
#endif
#ifdef _POSIX_THREAD_CPUTIME
#undef _POSIX_THREAD_CPUTIME
#define _POSIX_THREAD_CPUTIME 0
#endif
#endif
