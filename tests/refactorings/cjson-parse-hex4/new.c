static int hex_digit(unsigned char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static unsigned parse_hex4(const unsigned char * const input)
{
    unsigned int h = 0;
    for (const unsigned char *p = input; p != input + 4; p++)
    {
        int digit = hex_digit(*p);
        if (digit < 0) return 0;
        h = h << 4 | (unsigned int)digit;
    }
    return h;
}
