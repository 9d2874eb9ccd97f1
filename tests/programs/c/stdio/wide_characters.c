// Wide and multibyte functions in the "C" locale, ASCII only.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    wchar_t wide[40];
    char narrow[40];
    size_t n = mbstowcs(wide, "plain ascii", 40);
    printf("%zu %zu %d\n", n, wcslen(wide), (int)wide[6]);
    printf("%d %d %d\n", wcscmp(L"abc", L"abd") < 0, wcsncmp(L"abc", L"abd", 2), wmemcmp(L"x", L"x", 1));
    wcscat(wcscpy(wide, L"left"), L"+right");
    n = wcstombs(narrow, wide, 40);
    printf("%zu %s %td %td\n", n, narrow, wcschr(wide, '+') - wide, wcsstr(wide, L"ght") - wide);
    printf("%ld %g %zu\n", wcstol(L"-123x", NULL, 10), wcstod(L"2.5e2", NULL), wcsspn(L"aabbc", L"ab"));
    swprintf(wide, 40, L"%d-%ls-%s", 7, L"wide", "narrow");
    wcstombs(narrow, wide, 40), puts(narrow);
    int a;
    wchar_t word[10];
    printf("%d ", swscanf(L"55 word", L"%d %9ls", &a, word));
    printf("%d %ls\n", a, word);
    mbstate_t state = {0};
    wchar_t one;
    printf("%zu %d %zu %d\n", mbrtowc(&one, "Q", 1, &state), (int)one, wcrtomb(narrow, L'z', &state), mbsinit(&state) != 0);
    printf("%d %d %d\n", mblen("a", 1), mbtowc(&one, "", 1), wctomb(narrow, L'k'));
    printf("%d %d %d %lc\n", iswalpha(L'q') != 0, iswdigit(L'5') != 0, iswspace(L'x') != 0, (wint_t)towupper(L'm'));
    printf("%d %d\n", iswctype(L'7', wctype("digit")) != 0, (int)towctrans(L'a', wctrans("toupper")));
    printf("%d %d\n", btowc('A'), wctob(L'B'));
    wchar_t copy[5];
    wmemset(copy, L'-', 4), copy[4] = 0;
    wcsncpy(copy, L"ab", 2);
    printf("[%ls] [%6ls] [%.2ls]\n", copy, L"xyz", L"xyz");
    wchar_t *rest, text[] = L"a b c";
    for (wchar_t *t = wcstok(text, L" ", &rest); t; t = wcstok(NULL, L" ", &rest)) printf("%ls;", t);
    putchar('\n');
    return 0;
}
