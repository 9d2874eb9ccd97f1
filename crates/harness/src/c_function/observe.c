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
#include <unistd.h>

struct parallax_object {
	size_t offset, size;
	unsigned char kind, unused[7];
	char name[128];
};

enum { NO_OBJECT, HEAP, GONE, VARIABLE, OTHER, FUNCTION, UNKNOWN };

void __parallax_object(const void *, struct parallax_object *);
int __parallax_holds_pointer(const void *);
void *__parallax_static(const char *);
void __parallax_unsupported(const char *);
void parallax_symbolic(void *, size_t, const char *);

/* A version may have functions of these things under the C library's names. */
static size_t parallax_length(const char *text)
{
	size_t length = 0;
	while (text[length]) length++;
	return length;
}

static int parallax_is_same_text(const char *one, const char *other)
{
	while (*one && *one == *other) one++, other++;
	return *one == *other;
}

static void parallax_copy(void *to, const void *from, size_t size)
{
	for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

typedef void each_element(const char *, const unsigned char *, const unsigned char *);

struct parallax_block {
	unsigned char *start;
	size_t size;
	/* In which call of a function that was passed its content was written last, and as what. */
	size_t shown;
	each_element *as;
};

/* Memory that the driver has made for arguments: it is known by its number. */
static struct parallax_block parallax_blocks[4096];
static size_t parallax_block_count;

/* Variables that both versions have: they are known by their names. */
static const char *const *parallax_shared_variables;

/* Functions of the driver that were passed as arguments. */
static const void *const *parallax_known_callbacks;
static size_t parallax_callback_count;

/* What the call has made, in the order in which it was met. */
static const unsigned char *parallax_met[65536];
static each_element *parallax_met_as[65536];
static size_t parallax_met_count;

/* How many functions that were passed have been called, and whether one is just called. It may look at all that its arguments lead
 * to, so what blocks hold is written then, too. */
static size_t parallax_calls;
static int parallax_is_called;

/* Where the frame of the driver ends: what lies below belonged to calls that have returned. */
static const char *parallax_frame_end;

/* What cannot be compared is no outcome of the call. */
static void parallax_give_up(const char *what)
{
#ifndef __PARALLAX_NATIVE__
	__parallax_unsupported(what);
#endif
	(void)what;
}

static void parallax_fail(const char *what)
{
	parallax_give_up(what);
	_exit(125);
}

void parallax_clear_errno(void)
{
	errno = 0;
}

void parallax_observe(const char *file, const void *bytes, size_t size)
{
	int before = errno;
	int descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND, 0644);
	if (descriptor < 0 || write(descriptor, bytes, size) != (ssize_t)size) parallax_fail("writing what is compared");
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
	if (!start || number >= sizeof parallax_blocks / sizeof parallax_blocks[0]) parallax_fail("so many objects of arguments");
	for (size_t i = 0; i < size; i++) start[i] = 0;
	parallax_blocks[number] = (struct parallax_block){.start = start, .size = size};
	if (parallax_block_count <= number) parallax_block_count = number + 1;
	return start;
}

void parallax_known(const char *const *variables, const void *const *functions, size_t count)
{
	parallax_shared_variables = variables;
	parallax_known_callbacks = functions;
	parallax_callback_count = count;
	parallax_frame_end = __builtin_frame_address(0);
}

/* Called where memory was met that is not compared as what it is: that it was is seen in the VM. */
__attribute__((noinline)) void parallax_unseen(void)
{
}

/* A new walk begins. */
void parallax_forget(void)
{
	parallax_met_count = 0;
}

void parallax_enter_call(void)
{
	parallax_forget();
	parallax_calls++;
	parallax_is_called = 1;
}

void parallax_leave_call(void)
{
	parallax_is_called = 0;
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

static void parallax_write_place(const char *file, unsigned char where, unsigned number, long offset)
{
	unsigned char bytes[13];
	bytes[0] = where;
	parallax_copy(bytes + 1, &number, 4);
	parallax_copy(bytes + 5, &offset, 8);
	parallax_observe(file, bytes, sizeof bytes);
}

/* An object that may be freed is new, another one is static. */
enum { AT_NULL, AT_NEW, AT_MET, AT_BLOCK, AT_VARIABLE, AT_GONE, AT_TEXT, AT_CALLBACK, AT_STATIC, AT_NUMBER, AT_BLOCK_HELD };

static int parallax_is_block(const char *file, const unsigned char *pointer)
{
	for (size_t i = 0; i < parallax_block_count; i++) {
		unsigned char *start = parallax_blocks[i].start;
		if (!start || pointer < start || pointer > start + parallax_blocks[i].size) continue;
		parallax_write_place(file, AT_BLOCK, (unsigned)i, pointer - start);
		return 1;
	}
	return 0;
}

/* Memory in which no type says that there are pointers. If there are, what they lead to is not compared. In bytes and words (`hidden`
 * is 2) it may be a variable, too; elsewhere two small numbers beside each other look like the address of one. */
void parallax_look(const unsigned char *start, size_t size, int hidden)
{
	for (size_t i = 0; hidden && i + sizeof(void *) <= size; i++) {
		int kind = __parallax_holds_pointer(start + i);
		if (kind == 1 || (kind == 2 && hidden == 2)) {
			parallax_unseen();
			return;
		}
	}
}

/* The block that a function that was passed gets, with what it holds; -1 elements if that was written already. `each` is NULL of a
 * text. */
static int parallax_is_held(const char *file, const unsigned char *pointer, each_element *each, size_t element, int flexible, int hidden)
{
	for (size_t i = 0; parallax_is_called && pointer && i < parallax_block_count; i++) {
		struct parallax_block *block = &parallax_blocks[i];
		if (!block->start || pointer < block->start || pointer > block->start + block->size) continue;
		struct parallax_object object;
		__parallax_object(block->start, &object);
		if (object.kind != HEAP) {
			parallax_write_place(file, AT_GONE, 0, 0);
			return 1;
		}
		size_t offset = (size_t)(pointer - block->start);
		parallax_write_place(file, AT_BLOCK_HELD, (unsigned)i, (long)offset);
		if (!each) {
			for (size_t at = offset; at < block->size; at++) {
				parallax_observe(file, block->start + at, 1);
				if (!block->start[at]) return 1;
			}
			parallax_observe(file, "", 1);
			return 1;
		}
		long count = -1;
		if (block->shown == parallax_calls) {
			if (block->as != each) parallax_give_up("comparing memory to which pointers of several types point");
			parallax_observe(file, &count, sizeof count);
			return 1;
		}
		block->shown = parallax_calls;
		block->as = each;
		if (!element || offset % element != 0 || (!flexible && block->size % element != 0))
			parallax_give_up("comparing memory that is no array of what a pointer to it points to");
		count = flexible ? 1 : (long)(element ? block->size / element : 0);
		parallax_look(block->start, block->size, hidden);
		parallax_observe(file, &count, sizeof count);
		for (long at = 0; at < count; at++) each(file, block->start + at * element, block->start + block->size);
		return 1;
	}
	return 0;
}

static void parallax_write_name(const char *file, const char *name, long offset)
{
	unsigned length = (unsigned)parallax_length(name);
	parallax_write_place(file, AT_VARIABLE, length, offset);
	parallax_observe(file, name, length);
}

static int parallax_is_shared(const struct parallax_object *object)
{
	for (const char *const *shared = parallax_shared_variables; *shared; shared++)
		if (parallax_is_same_text(*shared, object->name)) return 1;
	return 0;
}

/* Whether a pointer is settled without a look at what it points to. */
static int parallax_is_settled(const char *file, const unsigned char *pointer, struct parallax_object *object)
{
	if (!pointer) {
		parallax_write_place(file, AT_NULL, 0, 0);
		return 1;
	}
	if (parallax_is_block(file, pointer)) return 1;
	__parallax_object(pointer, object);
	switch (object->kind) {
	case NO_OBJECT:
		/* A number that was made a pointer, as (void *)-1. */
		parallax_write_place(file, AT_NUMBER, 0, 0);
		parallax_observe(file, &pointer, sizeof pointer);
		return 1;
	case GONE:
		parallax_write_place(file, AT_GONE, 0, 0);
		return 1;
	case VARIABLE:
		if (!parallax_is_shared(object)) return 0;
		/* What variables hold is compared when all is over, not at each call. */
		if (parallax_is_called) parallax_unseen();
		/* fall through */
	case FUNCTION:
		parallax_write_name(file, object->name, (long)object->offset);
		return 1;
	default:
		return 0;
	}
}

/* Whether an object was met before. It is written at its first visit, as what the pointer there points to: another pointer must
 * say the same. What was met without a type is not compared in any case. */
static int parallax_is_met(const char *file, const unsigned char *start, long offset, each_element *as)
{
	for (size_t i = 0; i < parallax_met_count; i++) {
		if (parallax_met[i] != start) continue;
		if (as && parallax_met_as[i] && parallax_met_as[i] != as) parallax_give_up("comparing memory to which pointers of several types point");
		parallax_write_place(file, AT_MET, (unsigned)i, offset);
		return 1;
	}
	if (parallax_met_count == sizeof parallax_met / sizeof parallax_met[0]) parallax_fail("comparing so many objects");
	parallax_met_as[parallax_met_count] = as;
	parallax_met[parallax_met_count++] = start;
	return 0;
}

/* A pointer to elements of which `each` writes one; `end` is where their memory ends. A struct with a flexible array is one
 * element, however large. `hidden` is 0 if the type has pointers of its own. */
void parallax_see(const char *file, const void *to, each_element *each, size_t element, int flexible, int hidden)
{
	const unsigned char *pointer = to;
	struct parallax_object object;
	if (parallax_is_held(file, pointer, each, element, flexible, hidden)) return;
	if (parallax_is_settled(file, pointer, &object)) return;
	if (object.kind == UNKNOWN) object.offset = 0, object.size = element;
	const unsigned char *start = pointer - object.offset;
	if (parallax_is_met(file, start, (long)object.offset, each)) return;
	size_t count = flexible ? 1 : element ? object.size / element : 0;
	if (element && (object.offset % element != 0 || (!flexible && object.size % element != 0)))
		parallax_give_up("comparing memory that is no array of what a pointer to it points to");
	if (flexible && object.size < element) parallax_give_up("comparing memory that is smaller than the type of a pointer to it");
	parallax_look(start, object.size, hidden);
	parallax_write_place(file, object.kind == HEAP ? AT_NEW : AT_STATIC, (unsigned)count, (long)object.offset);
	for (size_t i = 0; i < count; i++) each(file, start + i * element, start + object.size);
}

/* A pointer to something of which the type is not known: which object it is. */
void parallax_see_opaque(const char *file, const void *to)
{
	const unsigned char *pointer = to;
	struct parallax_object object;
	if (parallax_is_called && pointer) parallax_unseen();
	if (parallax_is_settled(file, pointer, &object)) return;
	parallax_unseen();
	if (object.kind == VARIABLE) parallax_write_name(file, object.name, (long)object.offset);
	else if (!parallax_is_met(file, pointer - object.offset, (long)object.offset, 0)) parallax_write_place(file, AT_NEW, 0, (long)object.offset);
}

void parallax_see_function(const char *file, const void *function)
{
	for (size_t i = 0; i < parallax_callback_count; i++) {
		if (parallax_known_callbacks[i] != function) continue;
		parallax_write_place(file, AT_CALLBACK, (unsigned)i, 0);
		return;
	}
	parallax_see_opaque(file, function);
}

/* What a text is written as. */
static void parallax_as_text(const char *file, const unsigned char *at, const unsigned char *end)
{
	(void)file, (void)at, (void)end;
}

/* A text: the bytes up to its zero, that included, or up to the end of its memory. */
void parallax_see_text(const char *file, const char *text)
{
	struct parallax_object object;
	if (parallax_is_held(file, (const unsigned char *)text, NULL, 1, 0, 0)) return;
	if (parallax_is_settled(file, (const unsigned char *)text, &object)) return;
	long most = object.kind == UNKNOWN ? 1L << 20 : (long)(object.size - object.offset);
	/* The text of a pointer to an object that was met need not be the one that was written then. */
	if (object.kind != HEAP) parallax_write_place(file, AT_TEXT, 0, 0);
	else if (!parallax_is_met(file, (const unsigned char *)text - object.offset, (long)object.offset, parallax_as_text))
		parallax_write_place(file, AT_NEW, 1, (long)object.offset);
	for (long i = 0; i < most; i++) {
		parallax_observe(file, text + i, 1);
		if (!text[i]) return;
	}
	/* No zero ended it. */
	parallax_observe(file, "", 1);
}

/* A variable of static storage that C cannot name from the driver. */
void *parallax_static(const char *name, size_t size)
{
	struct parallax_object object;
	void *place = __parallax_static(name);
	if (!place) parallax_fail("finding a variable by its symbol");
	__parallax_object(place, &object);
	/* A sanitizer puts something behind it. */
	if (object.size < size) parallax_fail("finding a variable by its symbol");
	if (object.size > size) parallax_give_up("finding a variable by its symbol");
	return place;
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
	if (!stream) parallax_fail("opening a file for an argument");
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

/* Only the VM says what is compared. */
int __parallax_holds_pointer(const void *place)
{
	(void)place;
	return 0;
}

static const char *parallax_tables;
static const Elf64_Sym *parallax_symbols;
static size_t parallax_symbol_count;
static const char *parallax_names;
static unsigned long parallax_bias;
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

/* The symbol table of this program. */
static void parallax_read_symbols(void)
{
	if (parallax_tables) return;
	parallax_tables = "";
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
		parallax_symbols = (const Elf64_Sym *)(all + sections[i].sh_offset);
		parallax_symbol_count = sections[i].sh_size / sizeof *parallax_symbols;
		parallax_names = all + sections[sections[i].sh_link].sh_offset;
	}
	parallax_bias = header->e_type == ET_DYN ? (unsigned long)__ehdr_start : 0;
}

static int parallax_is_variable(const Elf64_Sym *symbol)
{
	return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT;
}

void *__parallax_static(const char *name)
{
	parallax_read_symbols();
	for (size_t i = 0; i < parallax_symbol_count; i++)
		if (parallax_is_variable(&parallax_symbols[i]) && parallax_is_same_text(parallax_names + parallax_symbols[i].st_name, name))
			return (void *)(parallax_bias + parallax_symbols[i].st_value);
	return NULL;
}

static int parallax_find_symbol(unsigned long address, struct parallax_object *object)
{
	parallax_read_symbols();
	for (size_t i = 0; i < parallax_symbol_count; i++) {
		const Elf64_Sym *symbol = &parallax_symbols[i];
		int is_function = symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
		if (!is_function && !parallax_is_variable(symbol)) continue;
		unsigned long start = parallax_bias + symbol->st_value;
		if (address < start || address >= start + (symbol->st_size ? symbol->st_size : 1)) continue;
		object->kind = is_function ? FUNCTION : VARIABLE;
		object->offset = address - start;
		object->size = symbol->st_size;
		size_t length = parallax_length(parallax_names + symbol->st_name);
		parallax_copy(object->name, parallax_names + symbol->st_name, length < sizeof object->name ? length : sizeof object->name - 1);
		return 1;
	}
	return 0;
}

#if __has_feature(address_sanitizer)
const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);
int __asan_address_is_poisoned(void const volatile *);

static int parallax_find_block(const void *pointer, struct parallax_object *object)
{
	void *start;
	size_t size;
	const char *kind = __asan_locate_address((void *)pointer, NULL, 0, &start, &size);
	if (parallax_is_same_text(kind, "stack") && __asan_address_is_poisoned(pointer)) {
		object->kind = GONE;
		return 1;
	}
	if (!parallax_is_same_text(kind, "heap")) return 0;
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
} parallax_heap[1 << 16];
static size_t parallax_heap_count;

static void *parallax_made(void *start, size_t size)
{
	if (!start) return NULL;
	for (size_t i = 0; i < size; i++) ((unsigned char *)start)[i] = 0;
	if (parallax_heap_count < sizeof parallax_heap / sizeof parallax_heap[0]) {
		parallax_heap[parallax_heap_count].start = start;
		parallax_heap[parallax_heap_count++].size = size;
	}
	return start;
}

static size_t parallax_heap_index(const void *pointer)
{
	for (size_t i = parallax_heap_count; i-- > 0;)
		if (parallax_heap[i].start == pointer) return i;
	return sizeof parallax_heap / sizeof parallax_heap[0];
}

void *malloc(size_t size)
{
	return parallax_made(__libc_malloc(size ? size : 1), size);
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
	return parallax_made(__libc_memalign(alignment, size ? size : 1), size);
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
	size_t at = parallax_heap_index(start);
	if (at == sizeof parallax_heap / sizeof parallax_heap[0]) {
		if (parallax_heap_count < at) abort();
		__libc_free(start);
		return;
	}
	if (parallax_heap[at].gone) abort();
	parallax_heap[at].gone = 1;
}

void *realloc(void *old, size_t size)
{
	if (!old) return malloc(size);
	if (size == 0) {
		free(old);
		return NULL;
	}
	void *start = malloc(size);
	size_t at = parallax_heap_index(old);
	if (!start || at == sizeof parallax_heap / sizeof parallax_heap[0]) return NULL;
	parallax_copy(start, old, parallax_heap[at].size < size ? parallax_heap[at].size : size);
	free(old);
	return start;
}

static int parallax_find_block(const void *to, struct parallax_object *object)
{
	const unsigned char *pointer = to;
	for (size_t i = 0; i < parallax_heap_count; i++) {
		if (pointer < parallax_heap[i].start || pointer > parallax_heap[i].start + parallax_heap[i].size) continue;
		object->kind = parallax_heap[i].gone ? GONE : HEAP;
		object->offset = (size_t)(pointer - parallax_heap[i].start);
		object->size = parallax_heap[i].size;
		return 1;
	}
	return 0;
}
#endif

void __parallax_object(const void *pointer, struct parallax_object *object)
{
	*object = (struct parallax_object){0};
	if (!pointer || parallax_find_block(pointer, object) || parallax_find_symbol((unsigned long)pointer, object)) return;
	const unsigned long largest_stack = 64ul << 20, page = 4096;
	/* The first page and the half of the kernel hold no objects. */
	if ((unsigned long)pointer < page || (long)pointer < 0) return;
	unsigned long below = (unsigned long)parallax_frame_end - (unsigned long)pointer;
	object->kind = (unsigned long)pointer < (unsigned long)parallax_frame_end && below < largest_stack ? GONE : UNKNOWN;
}
#endif
