#include <stdint.h>
enum { MERam, MERpm, MER24 };
