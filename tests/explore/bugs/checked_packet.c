// A packet whose checksum must match before its length is believed.
//@ explore: --sym-stdin 10
//@ outcome: out-of-bounds
//@ stack: handle main
//@ sanitizer: address
//@ run: witness
//@ stdin: \x7e\x07abcdefg\xe6
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <string.h>

enum { START = 0x7e, MOST = 7 };

static unsigned char checksum(const unsigned char *bytes, int count) {
    unsigned char sum = 0x5a;
    for (int i = 0; i < count; i++) {
        sum = (unsigned char)(sum << 1 | sum >> 7);
        sum ^= bytes[i];
    }
    return sum;
}

static int handle(const unsigned char *payload, int length) {
    unsigned char text[6];
    memcpy(text, payload, (size_t)length); // ERROR
    return length > 0 && text[0] == 'a';
}

int main(void) {
    unsigned char packet[10];
    if (fread(packet, 1, sizeof packet, stdin) != sizeof packet) return 1;
    if (packet[0] != START) {
        puts("no start");
        return 2;
    }
    int length = packet[1];
    if (length > MOST) return 3;
    if (checksum(packet + 1, length + 1) != packet[length + 2]) {
        puts("damaged");
        return 4;
    }
    printf("%d\n", handle(packet + 2, length));
    return 0;
}
