// Constants and sizes that a C library's headers choose are the host's.
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(int_fast8_t), sizeof(int_fast16_t), sizeof(uint_fast32_t), sizeof(int_fast64_t));
    int_fast16_t wide = INT_FAST16_MAX;
    uint_fast32_t large = UINT_FAST32_MAX;
    printf("%" PRIdFAST16 " %" PRIxFAST32 " %d\n", wide, large, (int)(INT_FAST32_MIN == INT64_MIN));
    sscanf("-5000000000", "%" SCNdFAST32, (int_fast32_t *)&wide);
    printf("%" PRIdFAST16 "\n", wide);
    printf("%d %d %d %ld\n", BUFSIZ, EOF, FOPEN_MAX, (long)TMP_MAX);
    printf("%d %d %d %d\n", L_tmpnam, FILENAME_MAX, L_ctermid, RAND_MAX);
    printf("%d %d %d %d\n", PATH_MAX, NAME_MAX, MB_LEN_MAX, LINE_MAX);
    printf("%d %d %d\n", HOST_NAME_MAX, NGROUPS_MAX, RE_DUP_MAX);
    printf("%d %d %d\n", O_ACCMODE, (int)math_errhandling, (int)MB_CUR_MAX);
#ifdef ARG_MAX
    puts("ARG_MAX");
#endif
    return 0;
}
