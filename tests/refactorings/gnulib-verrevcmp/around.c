#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#define _GL_ATTRIBUTE_PURE
#define verify(condition) _Static_assert (condition, "")
typedef ptrdiff_t idx_t;
static bool c_isdigit (int c) { return c >= '0' && c <= '9'; }
static bool c_isalpha (int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
