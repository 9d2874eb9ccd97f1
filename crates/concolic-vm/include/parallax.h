/* What a guest program can ask of Parallax. */
#ifndef PARALLAX_H
#define PARALLAX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `size` bytes at `pointer` an input of the program, under `name`. A name that is
   used again is another input: `name#2`, `name#3`, and so on. */
void parallax_symbolic(void *pointer, size_t size, const char *name);

#ifdef __cplusplus
}
#endif

#endif
