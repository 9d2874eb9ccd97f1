/* Integers of all widths, and the operations that have intrinsics of their own. */
#include "show.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

static volatile long values[] = {
	0, 1, -1, 2, 7, -8, 63, 64, 255, 256, 0x7fffffff, -0x7fffffffL - 1, 0x123456789abcdef0,
	0x7fffffffffffffff, -0x7fffffffffffffff - 1,
};
enum { COUNT = sizeof values / sizeof *values };

static void wide(const char *name, u128 value)
{
	show(name, (unsigned long)(value >> 64));
	show(name, (unsigned long)value);
}

#define OVERFLOW(type) \
	do { \
		type left = (type)a, right = (type)b, result; \
		show("add " #type, __builtin_add_overflow(left, right, &result)); \
		show("=", (unsigned long)result); \
		show("sub " #type, __builtin_sub_overflow(left, right, &result)); \
		show("=", (unsigned long)result); \
		show("mul " #type, __builtin_mul_overflow(left, right, &result)); \
		show("=", (unsigned long)result); \
		show("sat", (unsigned long)__builtin_elementwise_add_sat(left, right)); \
		show("sat", (unsigned long)__builtin_elementwise_sub_sat(left, right)); \
		show("min", (unsigned long)__builtin_elementwise_min(left, right)); \
		show("max", (unsigned long)__builtin_elementwise_max(left, right)); \
	} while (0)

static void pairs(long a, long b)
{
	typedef signed char i8;
	typedef unsigned char u8;
	OVERFLOW(i8);
	OVERFLOW(u8);
	OVERFLOW(short);
	OVERFLOW(int);
	OVERFLOW(unsigned);
	OVERFLOW(long);
	OVERFLOW(unsigned long);
	i128 left = (i128)a << 40 | (unsigned long)b, right = (i128)b << 3, product;
	wide("i128 +", left + right);
	wide("i128 *", left * right);
	show("i128 overflow", __builtin_mul_overflow(left, right, &product));
	wide("i128 product", product);
	if (right) {
		wide("i128 /", left / right);
		wide("i128 %", left % right);
		wide("u128 /", (u128)left / (u128)right);
	}
	show("i128 <", left < right);
	wide("i128 >>", left >> (b & 127));
	wide("u128 >>", (u128)left >> (b & 127));
	wide("i128 <<", (u128)left << (b & 127));
	if (b && !(a == -0x7fffffffffffffff - 1 && b == -1)) {
		show("/", a / b);
		show("%", a % b);
		show("u/", (unsigned long)a / (unsigned long)b);
		show("u%", (unsigned long)a % (unsigned long)b);
	}
	show("rotl64", __builtin_rotateleft64(a, b));
	show("rotr32", __builtin_rotateright32((unsigned)a, (unsigned)b));
	show("rotl8", __builtin_rotateleft8((unsigned char)a, (unsigned char)b));
}

struct bits {
	unsigned low : 3;
	int middle : 11;
	unsigned long high : 37;
	_Bool flag : 1;
};

static int choose(i128 key)
{
	switch (key) {
	case 0: return 10;
	case 5: return 11;
	case -1: return 12;
	case (i128)1 << 70: return 13;
	case (i128)1 << 64: return 14;
	default: return 15;
	}
}

int main(void)
{
	for (int i = 0; i < COUNT; i++) {
		long a = values[i];
		for (int j = 0; j < COUNT; j++)
			pairs(a, values[j]);
		show("popcount", __builtin_popcountl(a));
		show("parity", __builtin_parityl(a));
		if (a) {
			show("clz", __builtin_clzl(a));
			show("ctz", __builtin_ctzl(a));
		}
		show("ffs", __builtin_ffsl(a));
		show("bswap16", __builtin_bswap16((unsigned short)a));
		show("bswap32", __builtin_bswap32((unsigned)a));
		show("bswap64", __builtin_bswap64(a));
		show("reverse8", __builtin_bitreverse8((unsigned char)a));
		show("reverse64", __builtin_bitreverse64(a));
		show("abs", a < -0x7fffffffffffffff ? 0 : __builtin_labs(a));
		_BitInt(37) odd = (_BitInt(37))a;
		odd = odd * 3 + 1;
		show("bitint", (unsigned long)(long)odd);
		unsigned _BitInt(100) odder = (unsigned _BitInt(100))a * 12345 >> 3;
		wide("bitint", odder);
		struct bits bits = { a & 7, (int)a, a, a & 1 };
		bits.middle += 3;
		bits.high ^= bits.low;
		show("bits", bits.low);
		show("bits", bits.middle);
		show("bits", bits.high);
		show("bits", bits.flag);
		show("choose", choose(a));
		show("choose", choose((i128)a << 64));
		show("choose", choose((i128)(a & 127) << 64));
	}
	return 0;
}
