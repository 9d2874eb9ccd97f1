/* The host's <fenv.h> does not count the exception for denormal operands. */

#include_next <fenv.h>

#ifndef PARALLAX_HOST_FENV_H
#define PARALLAX_HOST_FENV_H
#ifdef FE_ALL_EXCEPT
#undef FE_ALL_EXCEPT
#define FE_ALL_EXCEPT 61
#endif
#endif
