// strtod and strtof on boundary texts, with the end pointer and errno.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static const char *texts[] = {"0", "-0.0", "1", "+1.5e3x", "  .5", "5.", ".", "", "e5", "1e", "1e+", "1e400", "-1e400", "1e-400", "0x1p-1",
                                  "0x.8", "0xap2", "inf", "-INFINITY", "nan", "infin", "1.7976931348623157e308", "1.7976931348623159e308",
                                  "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072014e-308",
                                  "9007199254740993", "9007199254740992.9999999999999999999", "0.1", "123456789123456789123456789",
                                  "0.00000000000000000000000000000000000000000000000000000001", "1e23", "8.5e22", "1,5", "--1", "1_000"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        errno = 0;
        double d = strtod(texts[i], &end);
        int range = errno == ERANGE;
        float f = strtof(texts[i], NULL);
        if (isnan(d)) printf("%s -> nan %td\n", texts[i], end - texts[i]);
        else printf("%s -> %.17g %.9g %td %d\n", texts[i], d, (double)f, end - texts[i], range && isinf(d));
    }
    printf("%a %a\n", atof("12.5abc"), atof("junk"));
    char digits[900];
    for (int i = 0; i < 800; i++) digits[i] = (char)('0' + (i * 7 + 3) % 10);
    digits[800] = 'e', digits[801] = '-', digits[802] = '7', digits[803] = '9', digits[804] = '0', digits[805] = 0;
    printf("%a\n", strtod(digits, NULL));
    return 0;
}
