#include <stdbool.h>
#define TM_YEAR_BASE 1900
typedef long int long_int;
