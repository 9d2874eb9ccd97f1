#define local static
typedef unsigned int z_crc_t;
