// An LZ77-like compressor and run-length coder with exact round trips.
#include <stdio.h>
#include <string.h>

static int compress(const unsigned char *in, int n, unsigned char *out) {
    int at = 0, used = 0;
    while (at < n) {
        int best = 0, distance = 0;
        for (int back = 1; back <= 255 && back <= at; back++) {
            int length = 0;
            while (length < 255 && at + length < n && in[at + length] == in[at + length - back]) length++;
            if (length > best) best = length, distance = back;
        }
        if (best >= 4) out[used++] = 1, out[used++] = (unsigned char)distance, out[used++] = (unsigned char)best, at += best;
        else out[used++] = 0, out[used++] = in[at++];
    }
    return used;
}
static int expand(const unsigned char *in, int n, unsigned char *out) {
    int at = 0, made = 0;
    while (at < n) {
        if (in[at++] == 0) { out[made++] = in[at++]; continue; }
        int distance = in[at++], length = in[at++];
        while (length--) out[made] = out[made - distance], made++;
    }
    return made;
}

int main(void) {
    static unsigned char data[3000], packed[7000], again[3000];
    static const char *phrase = "the rain in spain stays mainly in the plain; ";
    for (int kind = 0; kind < 4; kind++) {
        unsigned state = 1;
        for (int i = 0; i < 3000; i++) {
            state = state * 1664525 + 1013904223;
            data[i] = kind == 0 ? (unsigned char)phrase[i % 45] : kind == 1 ? (unsigned char)(state >> 24) : kind == 2 ? 'z' : (unsigned char)(state >> 30);
        }
        int size = compress(data, 3000, packed), back = expand(packed, size, again);
        unsigned hash = 0;
        for (int i = 0; i < size; i++) hash = hash * 31 + packed[i];
        printf("%d %d %08x %d\n", size, back, hash, memcmp(data, again, 3000));
    }
    return 0;
}
