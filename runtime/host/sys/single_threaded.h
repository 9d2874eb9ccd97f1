/* The host's <sys/single_threaded.h>. */

#ifndef PARALLAX_HOST_SYS_SINGLE_THREADED_H
#define PARALLAX_HOST_SYS_SINGLE_THREADED_H
#ifdef __cplusplus
extern "C" {
#endif
extern char __libc_single_threaded;
#ifdef __cplusplus
}
#endif
#endif
