/* Integers of more than 128 bits. */
#include "show.h"

typedef unsigned _BitInt(256) u256;
typedef _BitInt(256) i256;
typedef _BitInt(200) i200;
typedef unsigned _BitInt(513) u513;

static u256 initial = 0x123456789abcdef0fedcba9876543210ffffffffffffffff0000000000000001uwb;
static i200 negative = -12345678901234567890123456789012345678901234567890wb;

#define SHOW(value) \
	do { \
		__typeof__(value) shown = (value); \
		u513 bits = (u513)shown; \
		for (int limb = 0; limb < 9; limb++) \
			show(#value, (unsigned long)(bits >> 64 * limb)); \
	} while (0)

struct pair { i200 first; u256 second; char tail; };

static struct pair exchange(struct pair pair, u256 other)
{
	pair.second += other;
	pair.first = (i200)other;
	pair.tail++;
	return pair;
}

int main(void)
{
	volatile long seeds[] = { 0, 1, -1, 12345, 0x7fffffffffffffff, -77 };
	u256 a = initial;
	i200 b = negative;
	for (int i = 0; i < 6; i++) {
		long seed = seeds[i];
		i256 c = seed;
		c = c << 100 | 0xff;
		a = a * 6364136223846793005 + (u256)c;
		b -= (i200)seed * b + 1;
		SHOW(a);
		SHOW(b);
		SHOW(c);
		SHOW(a + (u256)b);
		SHOW(a - (u256)c);
		SHOW((u256)b * (u256)c);
		SHOW(a & (u256)c);
		SHOW(a ^ (u256)b);
		SHOW(~a);
		SHOW(-c);
		for (int by = 0; by < 256; by += 37) {
			SHOW(a << by);
			SHOW(a >> by);
			SHOW(c >> by);
		}
		SHOW(a << 64);
		SHOW(c >> 179);
		show("<", a < (u256)c);
		show("<=", a <= (u256)c);
		show("signed <", (i256)b < c);
		show("signed >", (i256)b > c);
		show("signed >=", c >= (i256)b);
		show("==", a == (u256)c);
		show("!=", b != (i200)c);
		show("own <", b < (i200)c);
		show("long", (unsigned long)(long)b);
		show("i128", (unsigned long)((__int128)c >> 70));
		SHOW((i256)(__int128)a);
		SHOW((u256)(unsigned __int128)c);
		SHOW(i & 1 ? a : (u256)c);
		struct pair pair = exchange((struct pair){ b, a, 'a' }, (u256)c);
		SHOW(pair.first);
		SHOW(pair.second);
		show("tail", pair.tail);
	}
	return 3;
}
