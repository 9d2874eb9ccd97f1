// The "C" locale: setlocale, localeconv, strcoll, strxfrm, nl_langinfo.
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    printf("%s\n", setlocale(LC_ALL, "C"));
    printf("%s %s\n", setlocale(LC_NUMERIC, "POSIX"), setlocale(LC_TIME, NULL));
    struct lconv *c = localeconv();
    printf("[%s][%s][%s][%d][%d]\n", c->decimal_point, c->thousands_sep, c->currency_symbol, c->frac_digits == 127, c->int_curr_symbol[0]);
    printf("%d %d %d\n", strcoll("a", "b") < 0, strcoll("B", "a") < 0, strcoll("same", "same"));
    char transformed[20];
    size_t n = strxfrm(transformed, "text", sizeof transformed);
    printf("%zu %s\n", n, transformed);
    printf("%s %s %s %s\n", nl_langinfo(RADIXCHAR), nl_langinfo(DAY_1), nl_langinfo(ABMON_12), nl_langinfo(D_FMT));
    printf("%s %s\n", nl_langinfo(AM_STR), nl_langinfo(T_FMT));
    printf("%.2f %g\n", strtod("1.5", NULL), atof("2,5"));
    locale_t l = newlocale(LC_ALL_MASK, "C", 0), previous = uselocale(l);
    printf("%d %d\n", l != 0, previous != 0);
    uselocale(previous), freelocale(l);
    printf("%d\n", MB_CUR_MAX == 1);
    return 0;
}
