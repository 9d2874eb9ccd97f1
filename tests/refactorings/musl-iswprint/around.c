#include <wctype.h>
