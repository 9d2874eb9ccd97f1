/* The host's additions to <stdint.h>: widths, as in C23. */

#include_next <stdint.h>

#ifndef PARALLAX_HOST_STDINT_H
#define PARALLAX_HOST_STDINT_H
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
