/* A table driven checksum, and a scanner driven by a table of classes. */
#include <stdio.h>

static unsigned table[256];
static unsigned char class_of[256];

int main(void)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned value = byte;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        table[byte] = value;
        class_of[byte] = byte == '\n' ? 1 : byte >= '0' && byte <= '9' ? 2 : byte == '-' ? 3 : 0;
    }
    static const unsigned char next_state[3][4] = {{0, 0, 1, 2}, {0, 0, 1, 0}, {0, 0, 1, 2}};
    unsigned checksum = ~0u;
    int next, state = 0, numbers = 0;
    while ((next = getchar()) != EOF) {
        checksum = checksum >> 8 ^ table[(checksum ^ next) & 0xff];
        int before = state;
        state = next_state[state][class_of[next]];
        if (state == 1 && before != 1)
            numbers++;
    }
    printf("%d\n", numbers);
    return checksum == 0x2144df1cu;
}
