/* The host's additions to <stdint.h>: fast types of 64 bits, and widths, as in C23. */

#ifndef PARALLAX_HOST_STDINT_H
#define PARALLAX_HOST_STDINT_H

#define int_fast16_t __musl_int_fast16_t
#define int_fast32_t __musl_int_fast32_t
#define uint_fast16_t __musl_uint_fast16_t
#define uint_fast32_t __musl_uint_fast32_t
#include_next <stdint.h>
#undef int_fast16_t
#undef int_fast32_t
#undef uint_fast16_t
#undef uint_fast32_t

typedef long int_fast16_t, int_fast32_t;
typedef unsigned long uint_fast16_t, uint_fast32_t;

#undef INT_FAST16_MIN
#undef INT_FAST32_MIN
#undef INT_FAST16_MAX
#undef INT_FAST32_MAX
#undef UINT_FAST16_MAX
#undef UINT_FAST32_MAX
#define INT_FAST16_MIN INT64_MIN
#define INT_FAST32_MIN INT64_MIN
#define INT_FAST16_MAX INT64_MAX
#define INT_FAST32_MAX INT64_MAX
#define UINT_FAST16_MAX UINT64_MAX
#define UINT_FAST32_MAX UINT64_MAX

#if defined(_GNU_SOURCE) || __STDC_VERSION__ > 201710L
#define INT8_WIDTH 8
#define UINT8_WIDTH 8
#define INT16_WIDTH 16
#define UINT16_WIDTH 16
#define INT32_WIDTH 32
#define UINT32_WIDTH 32
#define INT64_WIDTH 64
#define UINT64_WIDTH 64
#define INTPTR_WIDTH 64
#define UINTPTR_WIDTH 64
#define INTMAX_WIDTH 64
#define UINTMAX_WIDTH 64
#define PTRDIFF_WIDTH 64
#define SIZE_WIDTH 64
#define SIG_ATOMIC_WIDTH 32
#define WCHAR_WIDTH 32
#define WINT_WIDTH 32
#endif
#endif
