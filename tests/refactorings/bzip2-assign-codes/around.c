typedef int Int32;
typedef unsigned char UChar;
