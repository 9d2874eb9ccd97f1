/* The host's <locale.h> has a mask of its own categories. */

#include_next <locale.h>

#ifndef PARALLAX_HOST_LOCALE_H
#define PARALLAX_HOST_LOCALE_H
#ifdef LC_ALL_MASK
#undef LC_ALL_MASK
#define LC_ALL_MASK 8127
#endif
#endif
