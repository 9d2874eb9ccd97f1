/* What a driver reports of a call: files of the working folder, raw bytes, so that no digit of a symbolic value
 * has to be decided. Compiled beside the driver, so that the names of the C library that are used here cannot
 * clash with the program's.
 *
 * Memory is compared up to renaming of addresses. All that can be reached from the call (its result, its arguments, variables)
 * is walked once, depth first, in an order that types and names decide; an object that the call has made gets the number of its
 * first visit, and a pointer is written as the number of its object and its offset in it. Two heaps with ordered roots and
 * ordered pointers are isomorphic exactly if their walks write the same, as for deterministic automata: the only candidate
 * maps what is met first here to what is met first there. */
#line 13 "parallax_observe.c"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct parallax_object {
	size_t offset, size;
	unsigned char kind, unused[7];
	char name[128];
};

enum { NO_OBJECT, HEAP, GONE, VARIABLE, OTHER, FUNCTION, UNKNOWN };

void __parallax_object(const void *, struct parallax_object *);
void __parallax_unsupported(const char *);
void parallax_symbolic(void *, size_t, const char *);

struct parallax_block {
	unsigned char *start;
	size_t size;
};

/* Memory that the driver has made for arguments: it is known by its number. */
static struct parallax_block blocks[256];
static size_t block_count;

/* Variables that both versions have: they are known by their names. */
static const char *const *shared_variables;

/* Functions of the driver that were passed as arguments. */
static const void *const *callbacks;
static size_t callback_count;

/* What the call has made, in the order in which it was met. */
typedef void each_element(const char *, const unsigned char *, const unsigned char *);
static const unsigned char *met[65536];
static each_element *met_as[65536];
static size_t met_count;

/* Where the frame of the driver ends: what lies below belonged to calls that have returned. */
static const char *frame_end;

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

/* Memory for an argument. Like all that a caller gives away it may be freed. */
void *parallax_block(size_t number, size_t size)
{
	unsigned char *start = malloc(size);
	if (!start || number >= sizeof blocks / sizeof blocks[0]) _exit(125);
	for (size_t i = 0; i < size; i++) start[i] = 0;
	blocks[number] = (struct parallax_block){start, size};
	if (block_count <= number) block_count = number + 1;
	return start;
}

void parallax_known(const char *const *variables, const void *const *functions, size_t count)
{
	shared_variables = variables;
	callbacks = functions;
	callback_count = count;
	frame_end = __builtin_frame_address(0);
}

/* Called where memory was met that is not compared as what it is: that it was is seen in the VM. */
__attribute__((noinline)) void parallax_unseen(void)
{
}

/* A new walk begins. */
void parallax_forget(void)
{
	met_count = 0;
}

/* Whether what the driver made was freed by the call. */
int parallax_gone(const char *file, const void *block)
{
	struct parallax_object object;
	__parallax_object(block, &object);
	unsigned char gone = object.kind != HEAP;
	parallax_observe(file, &gone, 1);
	return gone;
}

static void unsupported(const char *what)
{
#ifndef __PARALLAX_NATIVE__
	__parallax_unsupported(what);
#endif
	(void)what;
}

static void place(const char *file, unsigned char where, unsigned number, long offset)
{
	unsigned char bytes[13];
	bytes[0] = where;
	memcpy(bytes + 1, &number, 4);
	memcpy(bytes + 5, &offset, 8);
	parallax_observe(file, bytes, sizeof bytes);
}

enum { AT_NULL, AT_NEW, AT_MET, AT_BLOCK, AT_VARIABLE, AT_NOTHING, AT_TEXT, AT_CALLBACK };

static int is_block(const char *file, const unsigned char *pointer)
{
	for (size_t i = 0; i < block_count; i++) {
		unsigned char *start = blocks[i].start;
		if (!start || pointer < start || pointer > start + blocks[i].size) continue;
		place(file, AT_BLOCK, (unsigned)i, pointer - start);
		return 1;
	}
	return 0;
}

static void name(const char *file, const char *name, long offset)
{
	unsigned length = (unsigned)strlen(name);
	place(file, AT_VARIABLE, length, offset);
	parallax_observe(file, name, length);
}

static int is_shared(const struct parallax_object *object)
{
	for (const char *const *shared = shared_variables; *shared; shared++)
		if (strcmp(*shared, object->name) == 0) return 1;
	return 0;
}

/* Whether a pointer is settled without a look at what it points to. */
static int is_settled(const char *file, const unsigned char *pointer, struct parallax_object *object)
{
	if (!pointer) {
		place(file, AT_NULL, 0, 0);
		return 1;
	}
	if (is_block(file, pointer)) return 1;
	__parallax_object(pointer, object);
	switch (object->kind) {
	case NO_OBJECT:
	case GONE:
		place(file, AT_NOTHING, 0, 0);
		return 1;
	case VARIABLE:
		if (!is_shared(object)) return 0;
		/* fall through */
	case FUNCTION:
		name(file, object->name, (long)object->offset);
		return 1;
	default:
		return 0;
	}
}

/* Whether an object was met before. It is written at its first visit, as what the pointer there points to: another pointer must
 * say the same. What was met without a type is not compared in any case. */
static int is_met(const char *file, const unsigned char *start, long offset, each_element *as)
{
	for (size_t i = 0; i < met_count; i++) {
		if (met[i] != start) continue;
		if (as && met_as[i] && met_as[i] != as) unsupported("comparing memory to which pointers of several types point");
		place(file, AT_MET, (unsigned)i, offset);
		return 1;
	}
	if (met_count == sizeof met / sizeof met[0]) _exit(125);
	met_as[met_count] = as;
	met[met_count++] = start;
	return 0;
}

/* A pointer to elements of which `each` writes one; `end` is where their memory ends. A struct with a flexible array is one
 * element, however large. */
void parallax_see(const char *file, const void *to, each_element *each, size_t element, int flexible)
{
	const unsigned char *pointer = to;
	struct parallax_object object;
	if (is_settled(file, pointer, &object)) return;
	if (object.kind == UNKNOWN) object.offset = 0, object.size = element;
	const unsigned char *start = pointer - object.offset;
	if (is_met(file, start, (long)object.offset, each)) return;
	size_t count = flexible ? 1 : element ? object.size / element : 0;
	if (element && (object.offset % element != 0 || (!flexible && object.size % element != 0)))
		unsupported("comparing memory that is no array of what a pointer to it points to");
	/* Bytes may be anything, and pointers to anything among them. */
	if (element == 1 && object.size >= sizeof(void *)) parallax_unseen();
	place(file, AT_NEW, (unsigned)count, (long)object.offset);
	for (size_t i = 0; i < count; i++) each(file, start + i * element, start + object.size);
}

/* A pointer to something of which the type is not known: which object it is. */
void parallax_see_opaque(const char *file, const void *to)
{
	const unsigned char *pointer = to;
	struct parallax_object object;
	if (is_settled(file, pointer, &object)) return;
	parallax_unseen();
	if (object.kind == VARIABLE) name(file, object.name, (long)object.offset);
	else if (!is_met(file, pointer - object.offset, (long)object.offset, 0)) place(file, AT_NEW, 0, (long)object.offset);
}

void parallax_see_function(const char *file, const void *function)
{
	for (size_t i = 0; i < callback_count; i++) {
		if (callbacks[i] != function) continue;
		place(file, AT_CALLBACK, (unsigned)i, 0);
		return;
	}
	parallax_see_opaque(file, function);
}

/* What a text is written as. */
static void as_text(const char *file, const unsigned char *at, const unsigned char *end)
{
	(void)file, (void)at, (void)end;
}

/* A text: the bytes up to its zero, that included, or up to the end of its memory. */
void parallax_see_text(const char *file, const char *text)
{
	struct parallax_object object;
	if (is_settled(file, (const unsigned char *)text, &object)) return;
	long most = object.kind == UNKNOWN ? 1L << 20 : (long)(object.size - object.offset);
	if (object.kind != HEAP) place(file, AT_TEXT, 0, 0);
	else if (is_met(file, (const unsigned char *)text - object.offset, (long)object.offset, as_text)) return;
	else place(file, AT_NEW, 1, (long)object.offset);
	for (long i = 0; i < most; i++) {
		parallax_observe(file, text + i, 1);
		if (!text[i]) return;
	}
	/* No zero ended it. */
	parallax_observe(file, "", 1);
}

/* Bit-fields: `width` bits from bit `first` of the bytes at `place` on. */
void parallax_put_bits(unsigned char *place, unsigned first, unsigned width, unsigned long value)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned bit = first + i;
		unsigned char mask = (unsigned char)(1u << bit % 8);
		unsigned char set = (unsigned char)((value >> i & 1) << bit % 8);
		place[bit / 8] = (unsigned char)((place[bit / 8] & ~mask) | set);
	}
}

unsigned long parallax_get_bits(const unsigned char *place, unsigned first, unsigned width, int is_signed)
{
	unsigned long value = 0;
	for (unsigned i = 0; i < width; i++) {
		unsigned bit = first + i;
		value |= (unsigned long)(place[bit / 8] >> bit % 8 & 1) << i;
	}
	if (is_signed) value = (unsigned long)((long)(value << (64 - width)) >> (64 - width));
	return value;
}

/* A stream of `length` bytes, read from its beginning on. */
void *parallax_stream(const char *file, const unsigned char *bytes, size_t length)
{
	FILE *stream = fopen(file, "w+");
	if (!stream) _exit(125);
	for (size_t i = 0; i < length; i++) fputc(bytes[i], stream);
	rewind(stream);
	return stream;
}

/* Where a stream stands; its bytes are those of its file. */
void parallax_see_stream(const char *file, void *stream)
{
	struct parallax_object object;
	long position = -1;
	__parallax_object(stream, &object);
	if (object.kind != GONE && object.kind != NO_OBJECT) {
		position = ftell(stream);
		fflush(stream);
	}
	parallax_observe(file, &position, sizeof position);
}

#ifdef __PARALLAX_NATIVE__
/* The native twins of what the VM knows of memory. A block that was freed is never given out again, as in the VM: so what
 * points to it is known to. */
#include <elf.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>

void __parallax_unsupported(const char *what)
{
	(void)what;
}

static const char *tables;
static const Elf64_Sym *symbols;
static size_t symbol_count;
static const char *names;
static unsigned long bias;
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

/* The symbol table of this program. */
static void read_symbols(void)
{
	if (tables) return;
	tables = "";
	int descriptor = open("/proc/self/exe", O_RDONLY);
	if (descriptor < 0) descriptor = open((const char *)getauxval(AT_EXECFN), O_RDONLY);
	struct stat status;
	if (descriptor < 0 || fstat(descriptor, &status) != 0) return;
	const char *all = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
	close(descriptor);
	if (all == MAP_FAILED) return;
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)all;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(all + header->e_shoff);
	for (int i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB) continue;
		symbols = (const Elf64_Sym *)(all + sections[i].sh_offset);
		symbol_count = sections[i].sh_size / sizeof *symbols;
		names = all + sections[sections[i].sh_link].sh_offset;
	}
	bias = header->e_type == ET_DYN ? (unsigned long)__ehdr_start : 0;
}

static int is_variable(const Elf64_Sym *symbol)
{
	return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT;
}

void *__parallax_static(const char *name)
{
	read_symbols();
	for (size_t i = 0; i < symbol_count; i++)
		if (is_variable(&symbols[i]) && strcmp(names + symbols[i].st_name, name) == 0)
			return (void *)(bias + symbols[i].st_value);
	return NULL;
}

static int find_symbol(unsigned long address, struct parallax_object *object)
{
	read_symbols();
	for (size_t i = 0; i < symbol_count; i++) {
		const Elf64_Sym *symbol = &symbols[i];
		int is_function = symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
		if (!is_function && !is_variable(symbol)) continue;
		unsigned long start = bias + symbol->st_value;
		if (address < start || address >= start + (symbol->st_size ? symbol->st_size : 1)) continue;
		object->kind = is_function ? FUNCTION : VARIABLE;
		object->offset = address - start;
		object->size = symbol->st_size;
		strncpy(object->name, names + symbol->st_name, sizeof object->name - 1);
		return 1;
	}
	return 0;
}

#if __has_feature(address_sanitizer)
const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);
int __asan_address_is_poisoned(void const volatile *);

static int find_block(const void *pointer, struct parallax_object *object)
{
	void *start;
	size_t size;
	const char *kind = __asan_locate_address((void *)pointer, NULL, 0, &start, &size);
	if (strcmp(kind, "stack") == 0 && __asan_address_is_poisoned(pointer)) {
		object->kind = GONE;
		return 1;
	}
	if (strcmp(kind, "heap") != 0) return 0;
	object->kind = __asan_address_is_poisoned(start) ? GONE : HEAP;
	object->offset = (size_t)((const char *)pointer - (const char *)start);
	object->size = size;
	return 1;
}
#else
void *__libc_malloc(size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static struct {
	unsigned char *start;
	size_t size;
	int gone;
} heap[1 << 16];
static size_t heap_count;

static void *made(void *start, size_t size)
{
	if (!start) return NULL;
	memset(start, 0, size);
	if (heap_count < sizeof heap / sizeof heap[0]) {
		heap[heap_count].start = start;
		heap[heap_count++].size = size;
	}
	return start;
}

static size_t heap_index(const void *pointer)
{
	for (size_t i = heap_count; i-- > 0;)
		if (heap[i].start == pointer) return i;
	return sizeof heap / sizeof heap[0];
}

void *malloc(size_t size)
{
	return made(__libc_malloc(size ? size : 1), size);
}

void *calloc(size_t count, size_t size)
{
	size_t all;
	if (__builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return malloc(all);
}

void *memalign(size_t alignment, size_t size)
{
	return made(__libc_memalign(alignment, size ? size : 1), size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size)
{
	void *start = memalign(alignment, size);
	if (start) *place = start;
	return start ? 0 : ENOMEM;
}

void free(void *start)
{
	if (!start) return;
	size_t at = heap_index(start);
	if (at == sizeof heap / sizeof heap[0]) {
		if (heap_count < at) abort();
		__libc_free(start);
		return;
	}
	if (heap[at].gone) abort();
	heap[at].gone = 1;
}

void *realloc(void *old, size_t size)
{
	if (!old) return malloc(size);
	if (size == 0) {
		free(old);
		return NULL;
	}
	void *start = malloc(size);
	size_t at = heap_index(old);
	if (!start || at == sizeof heap / sizeof heap[0]) return NULL;
	memcpy(start, old, heap[at].size < size ? heap[at].size : size);
	free(old);
	return start;
}

static int find_block(const void *to, struct parallax_object *object)
{
	const unsigned char *pointer = to;
	for (size_t i = 0; i < heap_count; i++) {
		if (pointer < heap[i].start || pointer > heap[i].start + heap[i].size) continue;
		object->kind = heap[i].gone ? GONE : HEAP;
		object->offset = (size_t)(pointer - heap[i].start);
		object->size = heap[i].size;
		return 1;
	}
	return 0;
}
#endif

void __parallax_object(const void *pointer, struct parallax_object *object)
{
	memset(object, 0, sizeof *object);
	if (!pointer || find_block(pointer, object) || find_symbol((unsigned long)pointer, object)) return;
	const unsigned long largest_stack = 64ul << 20;
	unsigned long below = (unsigned long)frame_end - (unsigned long)pointer;
	object->kind = (unsigned long)pointer < (unsigned long)frame_end && below < largest_stack ? GONE : UNKNOWN;
}
#endif
