#include "show.h"

static long write_out(const char *text, unsigned long length)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(1), "D"(1), "S"(text), "d"(length)
		: "rcx", "r11", "memory");
	return result;
}

void show(const char *name, unsigned long value)
{
	char line[80];
	unsigned long length = 0;
	while (name[length] && length < 60) {
		line[length] = name[length];
		length++;
	}
	line[length++] = ' ';
	for (int shift = 60; shift >= 0; shift -= 4)
		line[length++] = "0123456789abcdef"[value >> shift & 15];
	line[length++] = '\n';
	write_out(line, length);
}

void show_bytes(const char *name, const void *object, unsigned long size)
{
	const unsigned char *bytes = object;
	for (unsigned long at = 0; at < size; at += 8) {
		unsigned long word = 0;
		for (unsigned long i = 0; i < 8 && at + i < size; i++)
			word |= (unsigned long)bytes[at + i] << 8 * i;
		show(name, word);
	}
}
