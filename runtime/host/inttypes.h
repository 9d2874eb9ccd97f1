/* The host's <inttypes.h>: formats of its fast types. */

#include_next <inttypes.h>

#ifndef PARALLAX_HOST_INTTYPES_H
#define PARALLAX_HOST_INTTYPES_H
#undef PRIdFAST16
#define PRIdFAST16 "ld"
#undef PRIdFAST32
#define PRIdFAST32 "ld"
#undef PRIiFAST16
#define PRIiFAST16 "li"
#undef PRIiFAST32
#define PRIiFAST32 "li"
#undef PRIoFAST16
#define PRIoFAST16 "lo"
#undef PRIoFAST32
#define PRIoFAST32 "lo"
#undef PRIxFAST16
#define PRIxFAST16 "lx"
#undef PRIxFAST32
#define PRIxFAST32 "lx"
#undef PRIuFAST16
#define PRIuFAST16 "lu"
#undef PRIuFAST32
#define PRIuFAST32 "lu"
#undef PRIXFAST16
#define PRIXFAST16 "lX"
#undef PRIXFAST32
#define PRIXFAST32 "lX"
#undef SCNdFAST16
#define SCNdFAST16 "ld"
#undef SCNdFAST32
#define SCNdFAST32 "ld"
#undef SCNiFAST16
#define SCNiFAST16 "li"
#undef SCNiFAST32
#define SCNiFAST32 "li"
#undef SCNoFAST16
#define SCNoFAST16 "lo"
#undef SCNoFAST32
#define SCNoFAST32 "lo"
#undef SCNxFAST16
#define SCNxFAST16 "lx"
#undef SCNxFAST32
#define SCNxFAST32 "lx"
#undef SCNuFAST16
#define SCNuFAST16 "lu"
#undef SCNuFAST32
#define SCNuFAST32 "lu"
#endif
