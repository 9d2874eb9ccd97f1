uLong ZEXPORT adler32_z(uLong adler, const Bytef *buf, z_size_t len)
{
    unsigned long sum2 = adler >> 16 & 0xffff;
    adler &= 0xffff;
    if (buf == Z_NULL)
        return 1L;
    while (len >= NMAX) {
        unsigned n = NMAX / 16;
        len -= NMAX;
        do {
            DO16(buf);
            buf += 16;
        } while (--n);
        MOD(adler);
        MOD(sum2);
    }
    for (; len; len--) {
        adler += *buf++;
        if (adler >= BASE)
            adler -= BASE;
        sum2 += adler;
        if (sum2 >= BASE)
            sum2 -= BASE;
    }
    return adler | sum2 << 16;
}
