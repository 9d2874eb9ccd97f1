/* Atomic operations: with one thread they are plain ones, with the results of atomic ones. */
#include "show.h"

#define ALL(type, start) \
	do { \
		static _Atomic type cell; \
		__c11_atomic_init(&cell, (type)(start)); \
		type operand = (type)argument; \
		show(#type, (unsigned long)__c11_atomic_fetch_add(&cell, operand, __ATOMIC_SEQ_CST)); \
		show("sub", (unsigned long)__c11_atomic_fetch_sub(&cell, 3, __ATOMIC_RELAXED)); \
		show("or", (unsigned long)__c11_atomic_fetch_or(&cell, operand, __ATOMIC_ACQUIRE)); \
		show("xor", (unsigned long)__c11_atomic_fetch_xor(&cell, 0x55, __ATOMIC_RELEASE)); \
		show("nand", (unsigned long)__c11_atomic_fetch_nand(&cell, operand, __ATOMIC_SEQ_CST)); \
		show("and", (unsigned long)__c11_atomic_fetch_and(&cell, 0x7f, __ATOMIC_SEQ_CST)); \
		show("max", (unsigned long)__c11_atomic_fetch_max(&cell, operand, __ATOMIC_SEQ_CST)); \
		show("min", (unsigned long)__c11_atomic_fetch_min(&cell, operand, __ATOMIC_SEQ_CST)); \
		show("exchange", (unsigned long)__c11_atomic_exchange(&cell, 77, __ATOMIC_SEQ_CST)); \
		type expected = 76; \
		show("compare", __c11_atomic_compare_exchange_strong(&cell, &expected, operand, \
			__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
		show("expected", (unsigned long)expected); \
		show("compare", __c11_atomic_compare_exchange_weak(&cell, &expected, operand, \
			__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)); \
		show("load", (unsigned long)__c11_atomic_load(&cell, __ATOMIC_SEQ_CST)); \
		__c11_atomic_store(&cell, 5, __ATOMIC_RELEASE); \
		cell += 2; \
		show("stored", (unsigned long)cell); \
	} while (0)

static _Atomic double real = 1.5;
static _Atomic float small = 2.5f;
static int target;
static int *_Atomic pointer;
static struct { int a, b; } _Atomic pair;

int main(void)
{
	volatile long arguments[] = { 0, 1, -1, 100, 0x123456789 };
	for (int i = 0; i < 5; i++) {
		long argument = arguments[i];
		ALL(signed char, i * 50);
		ALL(unsigned short, i * 20000);
		ALL(int, -i);
		ALL(unsigned, i);
		ALL(long, i * 1000000007L);
		ALL(unsigned long, -i);
	}
	real += 2.25;
	real -= 0.5;
	small *= 3;
	show("double", (unsigned long)(real * 4));
	show("float", (unsigned long)(small * 4));
	pointer = &target;
	show("pointer", __c11_atomic_exchange(&pointer, &target + 1, __ATOMIC_SEQ_CST) == &target);
	show("moved", pointer - &target);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	show("flag", __atomic_test_and_set(&target, __ATOMIC_SEQ_CST));
	show("flag", __atomic_test_and_set(&target, __ATOMIC_SEQ_CST));
	__atomic_clear(&target, __ATOMIC_SEQ_CST);
	show("target", target);
	__typeof__(__c11_atomic_load(&pair, __ATOMIC_SEQ_CST)) both = { 3, 4 };
	__c11_atomic_store(&pair, both, __ATOMIC_SEQ_CST);
	show("pair", __c11_atomic_load(&pair, __ATOMIC_SEQ_CST).b);
	return 0;
}
