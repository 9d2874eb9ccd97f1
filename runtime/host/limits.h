/* The host's limits, where musl's <limits.h> has others. */

#include_next <limits.h>

#ifndef PARALLAX_HOST_LIMITS_H
#define PARALLAX_HOST_LIMITS_H
#ifdef MB_LEN_MAX
#undef MB_LEN_MAX
#define MB_LEN_MAX 16
#endif
#ifdef HOST_NAME_MAX
#undef HOST_NAME_MAX
#define HOST_NAME_MAX 64
#endif
#ifdef LINE_MAX
#undef LINE_MAX
#define LINE_MAX 2048
#endif
#ifdef NGROUPS_MAX
#undef NGROUPS_MAX
#define NGROUPS_MAX 65536
#endif
#ifdef RE_DUP_MAX
#undef RE_DUP_MAX
#define RE_DUP_MAX 32767
#endif
#ifdef CHARCLASS_NAME_MAX
#undef CHARCLASS_NAME_MAX
#define CHARCLASS_NAME_MAX 2048
#endif
#ifdef COLL_WEIGHTS_MAX
#undef COLL_WEIGHTS_MAX
#define COLL_WEIGHTS_MAX 255
#endif
#ifdef PTHREAD_KEYS_MAX
#undef PTHREAD_KEYS_MAX
#define PTHREAD_KEYS_MAX 1024
#endif
#ifdef PTHREAD_STACK_MIN
#undef PTHREAD_STACK_MIN
#define PTHREAD_STACK_MIN 16384
#endif
#ifdef ARG_MAX
#undef ARG_MAX
#endif
#endif
