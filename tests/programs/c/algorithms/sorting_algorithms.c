// Eight sorting algorithms on the same data must agree.
#include <stdio.h>
#include <string.h>

enum { N = 300 };
static void swap(int *a, int *b) { int t = *a; *a = *b, *b = t; }
static void bubble(int *v, int n) { for (int i = 0; i < n; i++) for (int j = 1; j < n - i; j++) if (v[j - 1] > v[j]) swap(&v[j - 1], &v[j]); }
static void insertion(int *v, int n) { for (int i = 1; i < n; i++) for (int j = i; j > 0 && v[j - 1] > v[j]; j--) swap(&v[j - 1], &v[j]); }
static void selection(int *v, int n) { for (int i = 0; i < n; i++) { int m = i; for (int j = i; j < n; j++) if (v[j] < v[m]) m = j; swap(&v[i], &v[m]); } }
static void shell(int *v, int n) { for (int gap = n / 2; gap; gap /= 2) for (int i = gap; i < n; i++) for (int j = i; j >= gap && v[j - gap] > v[j]; j -= gap) swap(&v[j], &v[j - gap]); }
static void quick(int *v, int n) {
    if (n < 2) return;
    int pivot = v[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (v[i] < pivot) i++;
        while (v[j] > pivot) j--;
        if (i <= j) swap(&v[i++], &v[j--]);
    }
    quick(v, j + 1), quick(v + i, n - i);
}
static void merge(int *v, int n) {
    if (n < 2) return;
    int half = n / 2, out[N], i = 0, j = half, k = 0;
    merge(v, half), merge(v + half, n - half);
    while (k < n) out[k++] = j >= n || (i < half && v[i] <= v[j]) ? v[i++] : v[j++];
    memcpy(v, out, (size_t)n * sizeof *v);
}
static void sift(int *v, int i, int n) {
    for (int c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && v[c + 1] > v[c]) c++;
        if (v[i] >= v[c]) return;
        swap(&v[i], &v[c]);
    }
}
static void heap(int *v, int n) { for (int i = n / 2; i-- > 0;) sift(v, i, n); for (int i = n; i-- > 1;) swap(&v[0], &v[i]), sift(v, 0, i); }
static void radix(int *v, int n) {
    int out[N];
    for (int shift = 0; shift < 32; shift += 8) {
        int count[257] = {0};
        for (int i = 0; i < n; i++) count[(((unsigned)v[i] ^ 0x80000000u) >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++) count[i + 1] += count[i];
        for (int i = 0; i < n; i++) out[count[((unsigned)v[i] ^ 0x80000000u) >> shift & 255]++] = v[i];
        memcpy(v, out, (size_t)n * sizeof *v);
    }
}

int main(void) {
    static void (*const sorts[])(int *, int) = {bubble, insertion, selection, shell, quick, merge, heap, radix};
    for (int kind = 0; kind < 4; kind++) {
        int reference[N];
        for (int s = 0; s < 8; s++) {
            int v[N];
            unsigned state = 99, hash = 0;
            for (int i = 0; i < N; i++) state = state * 1664525 + 1013904223, v[i] = kind == 0 ? (int)state : kind == 1 ? i : kind == 2 ? N - i : (int)(state >> 29);
            sorts[s](v, N);
            if (s == 0) memcpy(reference, v, sizeof v);
            for (int i = 0; i < N; i++) hash = hash * 31 + (unsigned)v[i];
            printf("%08x%c", hash, memcmp(v, reference, sizeof v) ? '!' : ' ');
        }
        putchar('\n');
    }
    return 0;
}
