/* Classes of characters, in the "C" locale.
 *
 * A member of a class is announced by the bit that the host's tables have for the class, not by 1: programs add
 * these numbers up or print them. The classes are written without branches, so that a symbolic character
 * stays one path. A character of 128 and above is in no class. */

#include <ctype.h>
#include <features.h>

#define CLASS(name, bit, members) \
	int (name)(int c) { return (members) ? 1 << (bit) : 0; } \
	int __##name##_l(int c, locale_t l) { return (name)(c); } \
	weak_alias(__##name##_l, name##_l);

#define BETWEEN(first, last) ((unsigned)c - (first) <= (unsigned)(last) - (first))
#define IN_ALPHA ((unsigned)(c | 32) - 'a' < 26)
#define IN_DIGIT BETWEEN('0', '9')

CLASS(isupper, 8, BETWEEN('A', 'Z'))
CLASS(islower, 9, BETWEEN('a', 'z'))
CLASS(isalpha, 10, IN_ALPHA)
CLASS(isdigit, 11, IN_DIGIT)
CLASS(isxdigit, 12, IN_DIGIT | ((unsigned)(c | 32) - 'a' < 6))
CLASS(isspace, 13, (c == ' ') | BETWEEN('\t', '\r'))
CLASS(isprint, 14, BETWEEN(' ', '~'))
CLASS(isgraph, 15, BETWEEN('!', '~'))
CLASS(isblank, 0, (c == ' ') | (c == '\t'))
CLASS(iscntrl, 1, ((unsigned)c < ' ') | (c == 127))
CLASS(ispunct, 2, BETWEEN('!', '~') & !(IN_ALPHA | IN_DIGIT))
CLASS(isalnum, 3, IN_ALPHA | IN_DIGIT)
