// The limits headers, literals of all bases and suffixes, and constant expressions.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

enum colour { RED, GREEN = 10, BLUE, BLACK = -1, WIDE = 0x7fffffff };
_Static_assert(BLUE == 11, "enumerators count on");

int main(void) {
    printf("%d %d %d %d %d %d\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX, UCHAR_MAX, CHAR_MIN, CHAR_MAX);
    printf("%d %d %d %d %d %u\n", SHRT_MIN, SHRT_MAX, USHRT_MAX, INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu %lld %lld %llu\n", LONG_MIN, LONG_MAX, ULONG_MAX, LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 " %" PRIuMAX "\n", INT8_MIN, UINT16_MAX, UINT32_MAX,
           INT64_MIN, UINTMAX_MAX);
    printf("%zu %td %jd\n", SIZE_MAX, PTRDIFF_MIN, INTMAX_MAX);
    printf("%d %d %d %lu %lld\n", 0x7f, 0177, 0b1011, 0xffffffffffffffffUL, 1LL << 62);
    printf("%d %d %d %d\n", '\0', '\377', '\x7f', L'\u00e9');
    printf("%d %d %d %d %d\n", RED, GREEN, BLUE, BLACK, WIDE);
    printf("%d %d\n", (int)sizeof(2147483648), (int)sizeof(0x80000000));
    printf("%" PRIdFAST8 " %" PRIdLEAST16 "\n", (int_fast8_t)-5, (int_least16_t)-6);
    int8_t small;
    int64_t wide;
    uint16_t octal;
    int read = sscanf("-12 -9000000000000000000 177777", "%" SCNd8 "%" SCNd64 "%" SCNo16, &small, &wide, &octal);
    printf("%d %d %" PRId64 " %u\n", read, small, wide, octal);
    printf("%zu %zu\n", offsetof(struct { char c; long l; short s; }, l), sizeof(enum colour));
    printf("%" PRIdMAX " %" PRIuMAX "\n", strtoimax("-123456789012", 0, 10), strtoumax("fffffffffff", 0, 16));
    imaxdiv_t d = imaxdiv(-17, 5);
    printf("%jd %jd %jd\n", d.quot, d.rem, imaxabs(-99));
    return 0;
}
