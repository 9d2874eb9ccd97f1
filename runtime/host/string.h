/* The host's additions to <string.h>. */

#include_next <string.h>

#ifndef PARALLAX_HOST_STRING_H
#define PARALLAX_HOST_STRING_H
#ifdef _GNU_SOURCE
#ifdef __cplusplus
extern "C"
#endif
void *rawmemchr(const void *, int);
#endif
#endif
