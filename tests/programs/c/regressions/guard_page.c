// The kernel reads the accessible part of a mapping whose other part is protected.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || mprotect(page + 4096, 4096, PROT_NONE))
        return 1;
    strcpy(page, "read beside the guard\n");
    printf("%ld\n", (long)write(1, page, strlen(page)));
    fflush(stdout);
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE))
        return 2;
    page[5000] = 'x';
    printf("%ld %c\n", (long)write(1, page + 5000, 1), page[5000]);
    return munmap(page, 8192);
}
