/* The standards that a program asks for, as the host's <features.h> says them: projects look at these names. */

#include_next <features.h>

#ifndef PARALLAX_HOST_FEATURES_H
#define PARALLAX_HOST_FEATURES_H
#if defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _BSD_SOURCE
#undef _POSIX_SOURCE
#define _POSIX_SOURCE 1
#undef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#undef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#ifdef _GNU_SOURCE
#undef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#endif
