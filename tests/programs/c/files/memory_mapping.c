// Anonymous mmap, mprotect-free use, munmap, brk-sized allocations, file mapping private.
//@ file: data=mapped contents
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    size_t size = 1 << 16;
    unsigned char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d\n", p != MAP_FAILED);
    unsigned zero = 0, hash = 0;
    for (size_t i = 0; i < size; i++) zero += p[i];
    for (size_t i = 0; i < size; i++) p[i] = (unsigned char)(i * 7 + (i >> 8));
    for (size_t i = 0; i < size; i += 3) hash = hash * 31 + p[i];
    printf("%u %u %d\n", zero, hash, munmap(p, size));
    int fd = open("data", O_RDONLY);
    char *text = mmap(NULL, 15, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    close(fd);
    printf("%.15s\n", text);
    memcpy(text, "MAPPED", 6);
    printf("%.15s\n", text);
    munmap(text, 15);
    char again[16] = "";
    fd = open("data", O_RDONLY), read(fd, again, 15), close(fd);
    puts(again);
    return 0;
}
