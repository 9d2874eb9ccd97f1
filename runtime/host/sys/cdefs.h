/* The macros of the host's <sys/cdefs.h> that other projects' headers use. */

#ifndef PARALLAX_HOST_SYS_CDEFS_H
#define PARALLAX_HOST_SYS_CDEFS_H

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#define __P(arguments) arguments
#define __CONCAT(left, right) left##right
#define __STRING(text) #text
#define __THROW
#define __THROWNL
#define __NTH(function) function
#define __nonnull(parameters)
#define __wur
#define __attribute_pure__ __attribute__((__pure__))
#define __attribute_const__ __attribute__((__const__))
#define __attribute_malloc__ __attribute__((__malloc__))
#define __attribute_deprecated__ __attribute__((__deprecated__))
#define __attribute_warn_unused_result__
#define __attribute_nonnull__(parameters)
#define __glibc_likely(condition) __builtin_expect(!!(condition), 1)
#define __glibc_unlikely(condition) __builtin_expect(!!(condition), 0)

#endif
