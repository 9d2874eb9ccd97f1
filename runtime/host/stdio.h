/* The host's additions to <stdio.h>. Its FILE is not opaque, and gnulib reads and sets the members that
 * are named here; they lie where musl keeps the same things, whose flag bits happen to be equal, too. */

#include_next <stdio.h>

#ifndef PARALLAX_HOST_STDIO_H
#define PARALLAX_HOST_STDIO_H

#undef BUFSIZ
#define BUFSIZ 8192
#undef FOPEN_MAX
#define FOPEN_MAX 16
#undef L_ctermid
#define L_ctermid 9
#undef TMP_MAX
#define TMP_MAX 238328

#ifdef __cplusplus
extern "C" {
#endif

struct _IO_FILE {
	unsigned _flags;
	char *_IO_read_ptr, *_IO_read_end;
	int (*__close)(FILE *);
	char *_IO_write_end, *_IO_write_ptr;
	union { char *_IO_save_base, *_IO_save_end; }; /* always null: there is no second buffer */
	char *_IO_write_base;
	size_t (*__read)(FILE *, unsigned char *, size_t);
	size_t (*__write)(FILE *, const unsigned char *, size_t);
	long (*__seek)(FILE *, long, int);
	char *_IO_buf_base;
	size_t __buffer_size;
	FILE *__previous, *__next;
	int _fileno;
	int __process;
	long __lock_count;
	int _mode;
	volatile int __lock;
	int __line_buffered;
	void *__cookie;
	long _offset;
};

#define _IO_EOF_SEEN 0x10
#define _IO_ERR_SEEN 0x20

#ifdef _GNU_SOURCE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
#define RENAME_WHITEOUT 4
int renameat2(int, const char *, int, const char *, unsigned);
int fcloseall(void);
#endif

#ifdef __cplusplus
}
#endif
#endif
