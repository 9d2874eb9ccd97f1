typedef unsigned char UChar;
#define __inline__
