// The scanner of scanner.c over 8 bytes, which can be exhausted.
//@ explore: --sym-stdin 8
//@ run: mixed
//@ stdin: ab 1 "c"
#define SIZE 8
#include "scanner.c"
