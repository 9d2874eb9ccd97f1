#include <assert.h>
#include <stdint.h>
#define testcase(x)
#define SQLITE_NOINLINE __attribute__((noinline))
typedef uint8_t u8;
typedef int64_t i64;
typedef uint64_t u64;
typedef short LogEst;
#define LARGEST_INT64 (0xffffffff | (((i64)0x7fffffff) << 32))
