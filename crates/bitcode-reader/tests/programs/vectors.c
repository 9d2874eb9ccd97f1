/* Vectors of C's extension: everything falls apart into scalars. */
#include "show.h"

typedef int i32x4 __attribute__((vector_size(16)));
typedef unsigned char u8x16 __attribute__((vector_size(16)));
typedef float f32x4 __attribute__((vector_size(16)));
typedef double f64x2 __attribute__((vector_size(16)));
typedef long i64x2 __attribute__((vector_size(16)));
typedef short i16x8 __attribute__((vector_size(16)));
typedef int i32x3 __attribute__((ext_vector_type(3)));
typedef _Bool bool8 __attribute__((ext_vector_type(8)));
typedef int i32x8 __attribute__((ext_vector_type(8)));

struct pair { i32x4 first; f32x4 second; char tail; };

#define SHOW(value) show_bytes(#value, &(__typeof__(value)[]){ (value) }, sizeof(value))

static struct pair swap(struct pair pair)
{
	i32x4 first = pair.first;
	pair.first = __builtin_convertvector(pair.second, i32x4);
	pair.second = __builtin_convertvector(first, f32x4);
	pair.tail++;
	return pair;
}

static i32x4 pick(int condition, i32x4 yes, i32x4 no)
{
	return condition ? yes : no;
}

int main(int argc, char **argv)
{
	volatile int one = 1, three = 3;
	i32x4 a = { one, -2, three, 0x7fffffff }, b = { 5, three, -7, one };
	f32x4 f = { 1.5f, -2.25f, (float)three, 1e9f };
	f64x2 d = { 1.5, (double)-three };
	u8x16 bytes = { 1, 2, 3, 250, 251, 252, (unsigned char)three };

	SHOW(a + b);
	SHOW(a * b);
	SHOW(a / b);
	SHOW(a % b);
	SHOW(a << (b & 31));
	SHOW(a >> one);
	SHOW((u8x16)a ^ bytes);
	SHOW(a < b);
	SHOW(a == b);
	SHOW(f > 0.0f);
	SHOW(f * f + f);
	SHOW(-d);
	SHOW(((a > b) & a) | (~(a > b) & b));
	SHOW(pick(one, a, b));
	SHOW(pick(!one, a, b));
	SHOW(__builtin_shufflevector(a, b, 0, 4, 3, 7));
	SHOW(__builtin_shufflevector(a, a, 3, 2, 1, 0));
	SHOW(__builtin_convertvector(a, f32x4));
	SHOW(__builtin_convertvector(d, i64x2));
	SHOW((i64x2)a);
	SHOW((i16x8)f);
	for (int i = 0; i < 4; i++) {
		i32x4 changed = a;
		changed[i] = b[(i + one) & 3];
		SHOW(changed);
		show("element", (unsigned)changed[i]);
	}
	SHOW(__builtin_elementwise_min(a, b));
	SHOW(__builtin_elementwise_max(a, b));
	SHOW(__builtin_elementwise_abs(a));
	SHOW(__builtin_elementwise_add_sat(a, a));
	SHOW(__builtin_elementwise_add_sat(bytes, bytes));
	SHOW(__builtin_elementwise_sub_sat(bytes, (u8x16)b));
	SHOW(__builtin_elementwise_popcount(a));
	SHOW(__builtin_elementwise_bitreverse(a));
	SHOW(__builtin_elementwise_floor(f));
	SHOW(__builtin_elementwise_trunc(d));
	SHOW(__builtin_elementwise_fma(f, f, f));
	show("reduce", (unsigned)__builtin_reduce_add(a));
	show("reduce", (unsigned)__builtin_reduce_mul(b));
	show("reduce", (unsigned)__builtin_reduce_xor(a));
	show("reduce", (unsigned)__builtin_reduce_min(a));
	show("reduce", (unsigned)__builtin_reduce_max(b));
	show("reduce", __builtin_reduce_max(bytes));

	i32x8 many = { 1, 2, 3, 4, 5, 6, three, -one };
	bool8 mask = __builtin_convertvector(many > three, bool8);
	show("mask", *(unsigned char *)&mask);
	show("mask", __builtin_reduce_or(mask));
	bool8 inverse = ~mask;
	show("mask", *(unsigned char *)&inverse);
	i32x3 small = { one, 2, three };
	small = small.zyx * 2;
	show("small", (unsigned)small.x);
	show("small", (unsigned)small.z);
	show("size", sizeof small);
	struct pair pair = { a, f, 'x' };
	pair.second = (f32x4){ 1, 2, 3, 4 };
	struct pair swapped = swap(pair);
	SHOW(swapped.first);
	SHOW(swapped.second);
	show("tail", swapped.tail);
	return argc == 1 ? 0 : 1;
}
