/* What the test programs print with: no libc, so that a program is translated as a whole. */
void show(const char *name, unsigned long value);

/* Any object, eight bytes at a time. */
void show_bytes(const char *name, const void *object, unsigned long size);
