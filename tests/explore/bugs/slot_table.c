// Slots that own blocks: moving a slot leaves the block in both.
//@ explore: --sym-stdin 10
//@ outcome: double-free
//@ stack: release main
//@ sanitizer: address
//@ run: witness
//@ stdin: a1m12f1f2.
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00
#include <stdio.h>
#include <stdlib.h>

static char *slots[4];

static int slot_number(int c) { return c >= '0' && c <= '3' ? c - '0' : -1; }

static void release(int slot) {
    free(slots[slot]); // ERROR
    slots[slot] = NULL;
}

int main(void) {
    int command;
    while ((command = getchar()) != EOF && command != '.') {
        int slot = slot_number(getchar());
        if (slot < 0) {
            puts("no such slot");
            return 1;
        }
        switch (command) {
        case 'a':
            if (slots[slot]) return 2;
            slots[slot] = malloc(8);
            break;
        case 'f':
            if (!slots[slot]) return 3;
            release(slot);
            break;
        case 'm': {
            int target = slot_number(getchar());
            if (target < 0 || slots[target] || !slots[slot]) return 4;
            slots[target] = slots[slot];
            break;
        }
        default:
            return 5;
        }
    }
    puts("done");
    return 0;
}
