local z_crc_t multmodp(z_crc_t a, z_crc_t b)
{
    z_crc_t p = 0;
    for (; a; a <<= 1) {
        if (a >> 31)
            p ^= b;
        b = (b >> 1) ^ (POLY & (0 - (b & 1)));
    }
    return p;
}
