// Doubles and floats of random bits printed with enough digits and read back must be unchanged.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    uint64_t state = 12345;
    int wrong = 0, special = 0, short_enough = 0;
    unsigned hash = 0;
    for (int i = 0; i < 1500; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t u = state ^ state >> 29;
        double d, back;
        memcpy(&d, &u, 8);
        if (isnan(d) || isinf(d)) { special++; continue; }
        char text[64];
        snprintf(text, sizeof text, "%.17g", d), back = strtod(text, NULL);
        wrong += back != d;
        snprintf(text, sizeof text, "%.16e", d), back = strtod(text, NULL);
        wrong += back != d;
        for (char *p = text; *p; p++) hash = hash * 31 + (unsigned char)*p;
        snprintf(text, sizeof text, "%.15g", d), short_enough += strtod(text, NULL) == d;
        snprintf(text, sizeof text, "%a", d), wrong += strtod(text, NULL) != d;
        float f = (float)(d > 1e38 || d < -1e38 ? 1 / d : d);
        snprintf(text, sizeof text, "%.9g", (double)f), wrong += strtof(text, NULL) != f;
    }
    printf("%d %d %d %08x\n", wrong, special, short_enough, hash);
    for (int e = -320; e <= 308; e += 37) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        printf("%s %.20g %.3e\n", text, strtod(text, NULL), strtod(text, NULL));
    }
    return 0;
}
