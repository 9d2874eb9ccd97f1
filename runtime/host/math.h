/* The host sets errno and raises exceptions. */

#include_next <math.h>

#ifndef PARALLAX_HOST_MATH_H
#define PARALLAX_HOST_MATH_H
#ifdef math_errhandling
#undef math_errhandling
#define math_errhandling 3
#endif
#endif
