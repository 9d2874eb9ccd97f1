// getsubopt and hand-written size suffixes.
//@ run: good
//@ args: rw,size=10k,name=disk
//@ run: unknown
//@ args: ro,colour=red,size=3M,size
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static long long parse_size(const char *text) {
    char *end;
    long long v = strtoll(text, &end, 10);
    switch (*end) {
    case 'G': v *= 1024; // fall through
    case 'M': v *= 1024; // fall through
    case 'k': v *= 1024; end++;
    }
    return *end ? -1 : v;
}

int main(int argc, char **argv) {
    char *const tokens[] = {"ro", "rw", "size", "name", NULL};
    char *options = argc > 1 ? argv[1] : "", *value;
    int problems = 0;
    while (*options) {
        switch (getsubopt(&options, tokens, &value)) {
        case 0: puts("read only"); break;
        case 1: puts("read write"); break;
        case 2: if (value) printf("size %lld\n", parse_size(value)); else puts("size missing"), problems++; break;
        case 3: printf("name %s\n", value ? value : "none"); break;
        default: puts("unknown"), problems++;
        }
    }
    printf("%lld %lld %lld\n", parse_size("2G"), parse_size("7"), parse_size("1x"));
    return problems;
}
