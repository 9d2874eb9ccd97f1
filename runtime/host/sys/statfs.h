/* The host's additions to <sys/statfs.h>. */

#include_next <sys/statfs.h>

#ifndef PARALLAX_HOST_SYS_STATFS_H
#define PARALLAX_HOST_SYS_STATFS_H
typedef long __fsword_t;
#endif
