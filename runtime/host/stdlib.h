/* The host's additions to <stdlib.h>. */

#include_next <stdlib.h>

#ifndef PARALLAX_HOST_STDLIB_H
#define PARALLAX_HOST_STDLIB_H
#ifdef _GNU_SOURCE
#ifdef __cplusplus
extern "C"
#endif
char *canonicalize_file_name(const char *);
#endif
#endif
