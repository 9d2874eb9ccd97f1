/* The host's <assert.h>, whose message names the function with its type. Has no guard: each inclusion
 * defines assert anew, by what NDEBUG then says. */

#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
	((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))
#endif

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && __STDC_VERSION__ < 202311L
#undef static_assert
#define static_assert _Static_assert
#endif

#ifndef PARALLAX_HOST_ASSERT_H
#define PARALLAX_HOST_ASSERT_H
#ifdef __cplusplus
extern "C" {
#endif

void __assert_fail(const char *expression, const char *file, int line, const char *function)
	__attribute__((__noreturn__));

#ifdef __cplusplus
}
#endif
#endif
