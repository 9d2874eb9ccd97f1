/* Runs natively when the guest libc is built: prints, as C, the message texts of the host's libc that
 * runtime/messages.c hands out in the guest. */

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { errors = 134, signals = 65 };

static void literal(const char *text, size_t length)
{
	putchar('"');
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = text[i];
		if (byte == '"' || byte == '\\' || byte == '?' || !isprint(byte)) printf("\\%03o", byte);
		else putchar(byte);
	}
	putchar('"');
}

static void table(const char *name, int count, char *text_of(int))
{
	printf("static const char *const %s[] = {\n", name);
	for (int number = 0; number < count; number++) {
		const char *text = text_of(number);
		putchar('\t');
		literal(text, strlen(text));
		puts(",");
	}
	puts("};");
}

/* What precedes the number in the text of a number without a meaning. */
static void prefix(const char *name, const char *text)
{
	printf("static const char %s[] = ", name);
	literal(text, strcspn(text, "0123456789"));
	puts(";");
}

int main(void)
{
	table("errors", errors, strerror);
	prefix("unknown_error", strerror(errors));
	table("signals", signals, strsignal);
	prefix("unknown_signal", strsignal(signals));
	return 0;
}
