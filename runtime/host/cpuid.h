/* Replaces the compiler's <cpuid.h>, which is assembly: the VM's processor has the x86-64 baseline and
 * nothing that a program would have to ask for. */

#ifndef PARALLAX_HOST_CPUID_H
#define PARALLAX_HOST_CPUID_H

#define bit_SSE3 0x00000001
#define bit_PCLMUL 0x00000002
#define bit_PCLMULQDQ bit_PCLMUL
#define bit_SSSE3 0x00000200
#define bit_FMA 0x00001000
#define bit_SSE4_1 0x00080000
#define bit_SSE41 bit_SSE4_1
#define bit_SSE4_2 0x00100000
#define bit_SSE42 bit_SSE4_2
#define bit_POPCNT 0x00800000
#define bit_AES 0x02000000
#define bit_AESNI bit_AES
#define bit_OSXSAVE 0x08000000
#define bit_AVX 0x10000000
#define bit_RDRND 0x40000000
#define bit_AVX2 0x00000020
#define bit_BMI 0x00000008
#define bit_BMI2 0x00000100
#define bit_SHA 0x20000000
#define bit_AVX512F 0x00010000

#define __cpuid(leaf, a, b, c, d) ((void)(leaf), (void)((a) = (b) = (c) = (d) = 0))
#define __cpuid_count(leaf, count, a, b, c, d) ((void)(leaf), (void)(count), (void)((a) = (b) = (c) = (d) = 0))

static __inline unsigned __get_cpuid_max(unsigned leaf, unsigned *signature)
{
	(void)leaf;
	if (signature) *signature = 0;
	return 0;
}

static __inline int __get_cpuid(unsigned leaf, unsigned *a, unsigned *b, unsigned *c, unsigned *d)
{
	(void)leaf;
	*a = *b = *c = *d = 0;
	return 0;
}

static __inline int __get_cpuid_count(unsigned leaf, unsigned count, unsigned *a, unsigned *b, unsigned *c,
	unsigned *d)
{
	(void)count;
	return __get_cpuid(leaf, a, b, c, d);
}

#endif
