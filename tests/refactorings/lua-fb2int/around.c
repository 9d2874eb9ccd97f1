typedef unsigned char lu_byte;
#define cast_int(i) ((int)(i))
