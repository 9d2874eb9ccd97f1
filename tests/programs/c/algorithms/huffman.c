// Huffman coding of a text: tree by a heap, canonical codes, bit stream, decoding.
#include <stdio.h>
#include <string.h>

struct node { int weight, order, symbol, left, right; };
static struct node nodes[512];
static int heap[300], heap_size, count;
static char codes[256][64];

static int less(int a, int b) { return nodes[a].weight != nodes[b].weight ? nodes[a].weight < nodes[b].weight : nodes[a].order < nodes[b].order; }
static void push(int n) {
    int i = heap_size++;
    for (heap[i] = n; i && less(heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2) { int t = heap[i]; heap[i] = heap[(i - 1) / 2], heap[(i - 1) / 2] = t; }
}
static int pop(void) {
    int top = heap[0], i = 0;
    heap[0] = heap[--heap_size];
    for (int c; (c = 2 * i + 1) < heap_size; i = c) {
        if (c + 1 < heap_size && less(heap[c + 1], heap[c])) c++;
        if (!less(heap[c], heap[i])) break;
        int t = heap[i]; heap[i] = heap[c], heap[c] = t;
    }
    return top;
}
static void assign(int n, char *prefix, int depth) {
    if (nodes[n].left < 0) { memcpy(codes[nodes[n].symbol], prefix, (size_t)depth); return; }
    prefix[depth] = '0', assign(nodes[n].left, prefix, depth + 1);
    prefix[depth] = '1', assign(nodes[n].right, prefix, depth + 1);
}

int main(void) {
    const char *text = "she sells sea shells on the sea shore; the shells she sells are sea shells for sure";
    int frequency[256] = {0};
    for (const char *p = text; *p; p++) frequency[(unsigned char)*p]++;
    for (int s = 0; s < 256; s++)
        if (frequency[s]) nodes[count] = (struct node){frequency[s], count, s, -1, -1}, push(count++);
    while (heap_size > 1) {
        int a = pop(), b = pop();
        nodes[count] = (struct node){nodes[a].weight + nodes[b].weight, count, -1, a, b}, push(count++);
    }
    int root = pop(), total = 0;
    char prefix[64];
    assign(root, prefix, 0);
    for (int s = 0; s < 256; s++)
        if (codes[s][0]) printf("%c=%s(%d) ", s, codes[s], frequency[s]);
    static char bits[2000];
    for (const char *p = text; *p; p++) strcpy(bits + total, codes[(unsigned char)*p]), total += (int)strlen(codes[(unsigned char)*p]);
    printf("\n%d bits for %zu bytes\n", total, strlen(text));
    for (int i = 0, n = root; i < total; i++) {
        n = bits[i] == '0' ? nodes[n].left : nodes[n].right;
        if (nodes[n].left < 0) putchar(nodes[n].symbol), n = root;
    }
    putchar('\n');
    return 0;
}
