// Makes objects of the kernel of which there are only so many for the whole machine, or whose size nothing bounds.
#include "hostile.h"

static void attack(void) {
    unsigned long queue = 0, filter[3] = {0};
    if (syscall(SYS_io_setup, 1, &queue) == 0) broke_out("a queue for asynchronous input and output");
    filter[1] = 3;
    if (syscall(444 /* landlock_create_ruleset */, filter, 16, 0) >= 0) broke_out("a rule set, which can be of any size");
    if (mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0) != MAP_FAILED) broke_out("a reserved page");
    int ends[2];
    char byte = 'x';
    struct iovec page = {&byte, 1};
    if (pipe(ends) == 0 && vmsplice(ends[1], &page, 1, 0) >= 0) broke_out("vmsplice");
}
