/* What a driver reports of a call: files of the working folder, raw bytes, so that no digit of a symbolic value
 * has to be decided. Compiled beside the driver, so that the names of the C library that are used here cannot
 * clash with the program's. */
#line 5 "parallax_observe.c"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void parallax_clear_errno(void)
{
	errno = 0;
}

void parallax_observe(const char *file, const void *bytes, size_t size)
{
	int before = errno;
	int descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND, 0644);
	if (descriptor < 0 || write(descriptor, bytes, size) != (ssize_t)size) _exit(125);
	close(descriptor);
	errno = before;
}

void parallax_observe_errno(const char *file)
{
	int value = errno;
	parallax_observe(file, &value, sizeof value);
}

/* Whether an object is still there; `frame` is a variable of the function that asks. */
int __parallax_is_alive(const void *, const void *frame);

/* Where a pointer points to: 0 for nowhere, 1 for elsewhere, 2 and more for a block, 255 for an object that is gone; then
 * the offset in the block. Whether it points elsewhere is returned. */
struct parallax_block {
	const unsigned char *start;
	size_t size;
};

int parallax_observe_pointer(const char *file, const void *pointer, const struct parallax_block *blocks, size_t count)
{
	const unsigned char *place = pointer;
	unsigned char where = place != NULL;
	long offset = 0;
	for (size_t i = 0; place && i < count; i++) {
		const unsigned char *start = blocks[i].start;
		if (!start || place < start || place > start + blocks[i].size) continue;
		where = (unsigned char)(2 + i);
		offset = place - start;
		break;
	}
	if (where == 1 && !__parallax_is_alive(place, blocks)) where = 255;
	parallax_observe(file, &where, 1);
	parallax_observe(file, &offset, sizeof offset);
	return where == 1;
}

/* The bytes of a text, its zero included. */
void parallax_observe_text(const char *file, const char *text)
{
	do parallax_observe(file, text, 1);
	while (*text++);
}
