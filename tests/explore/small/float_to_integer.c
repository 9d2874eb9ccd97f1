// Conversions from float to integers and back, rounding towards zero.
//@ explore: --sym-stdin 1
//@ run: some
//@ stdin: \xd3
#include <stdio.h>

int main(void) {
    int c = getchar();
    if (c == EOF) return 9;
    float scaled = (float)(signed char)c * 0.37f;
    int whole = (int)scaled;
    unsigned char low = (unsigned char)(whole & 255);
    if (whole == 0) puts("nothing");
    else if (whole < -40) puts("very negative");
    else if (whole > 40) puts("very positive");
    if ((float)whole == scaled) puts("exact");
    return low > 250;
}
