// Invalid operations on long double give the processor's default NaN, whose sign is set; a NaN
// operand is passed on, made quiet.
#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, long double value) {
    unsigned char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    printf("%s: %Lf, sign %d,", what, value, !!signbit(value));
    for (int i = 9; i >= 0; i--) printf(" %02x", bytes[i]);
    double narrow = (double)value;
    unsigned long long bits;
    memcpy(&bits, &narrow, sizeof bits);
    printf(", as double %f %016llx\n", narrow, bits);
}

static long double nan_of(int negative, unsigned long long significand) {
    unsigned char bytes[sizeof(long double)] = {0};
    unsigned short high = negative ? 0xffff : 0x7fff;
    long double value;
    memcpy(bytes, &significand, 8);
    memcpy(bytes + 8, &high, 2);
    memcpy(&value, bytes, sizeof value);
    return value;
}

int main(void) {
    volatile long double zero = 0, one = 1, minus = -1, infinity = INFINITY;
    show("0/0", zero / zero);
    show("inf/inf", infinity / infinity);
    show("inf-inf", infinity - infinity);
    show("0*inf", zero * infinity);
    show("fmodl(1, 0)", fmodl(one, zero));
    show("sqrtl(-1)", sqrtl(minus));
    volatile long double invalid = zero / zero;
    show("-(0/0)", -invalid);
    show("floorl(0/0)", floorl(invalid));

    volatile long double quiet = nan_of(0, 0xc000000000000123), larger = nan_of(1, 0xc000000000004567);
    volatile long double signaling = nan_of(1, 0x8000000000000789);
    show("quiet+1", quiet + one);
    show("1-quiet", one - quiet);
    show("quiet*larger", quiet * larger);
    show("larger/quiet", larger / quiet);
    show("signaling+1", signaling + one);
    show("signaling*quiet", signaling * quiet);
    show("quiet-signaling", quiet - signaling);
    volatile double narrow = (double)larger;
    show("from double", narrow);
    volatile float single = (float)larger;
    show("from float", single);
    return 0;
}
