// memcpy copies more than the destination struct holds.
//@ outcome: out-of-bounds
//@ stack: receive main
//@ sanitizer: address
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet { unsigned char length; char data[15]; };

static struct packet *receive(const char *wire, size_t size) {
    struct packet *p = malloc(sizeof *p);
    memcpy(p, wire, size); // ERROR
    return p;
}

int main(void) {
    static const char wire[32] = "\x1fsome bytes from the network";
    struct packet *p = receive(wire, sizeof wire);
    printf("%d\n", p->length);
    free(p);
    return 0;
}
