int
GifBitSize(int n)
{
    if (n <= 2) return 1;
    if (n > 256) return 9;
    return 32 - __builtin_clz(n - 1);
}
