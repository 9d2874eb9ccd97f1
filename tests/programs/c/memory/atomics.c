// C11 atomics and the older builtins, on every width, from a single thread.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define EXERCISE(type)                                                                                             \
    do {                                                                                                           \
        _Atomic type v = 100;                                                                                      \
        type a = atomic_fetch_add(&v, 60), b = atomic_fetch_sub(&v, 10), c = atomic_fetch_or(&v, 9);               \
        type d = atomic_fetch_xor(&v, 0x55), e = atomic_fetch_and(&v, 0x7c), f = atomic_exchange(&v, 42), g = 41;  \
        int first = atomic_compare_exchange_strong(&v, &g, 1), second = atomic_compare_exchange_strong(&v, &g, 1); \
        v += 5, v *= 3, v--;                                                                                       \
        printf(#type " %lld %lld %lld %lld %lld %lld %lld %d %d %lld\n", (long long)a, (long long)b, (long long)c,  \
               (long long)d, (long long)e, (long long)f, (long long)g, first, second, (long long)v);               \
    } while (0)

int main(void) {
    EXERCISE(signed char); EXERCISE(unsigned char); EXERCISE(short); EXERCISE(unsigned short);
    EXERCISE(int); EXERCISE(unsigned); EXERCISE(long); EXERCISE(uint64_t);
    int x = 5;
    printf("%d %d %d\n", __sync_fetch_and_add(&x, 3), __sync_add_and_fetch(&x, 3), __sync_sub_and_fetch(&x, 20));
    printf("%d %d %d\n", __sync_val_compare_and_swap(&x, -9, 50), __sync_bool_compare_and_swap(&x, 1, 2), x);
    printf("%d %d\n", __sync_lock_test_and_set(&x, 8), x);
    __sync_lock_release(&x);
    printf("%d\n", __atomic_load_n(&x, __ATOMIC_ACQUIRE));
    __atomic_store_n(&x, 0xf0, __ATOMIC_RELEASE);
    printf("%d %d\n", __atomic_fetch_nand(&x, 0x3c, __ATOMIC_RELAXED), __atomic_or_fetch(&x, 6, __ATOMIC_SEQ_CST));
    atomic_flag flag = ATOMIC_FLAG_INIT;
    int was = atomic_flag_test_and_set(&flag), is = atomic_flag_test_and_set(&flag);
    atomic_flag_clear(&flag);
    printf("%d %d %d\n", was, is, atomic_flag_test_and_set(&flag));
    _Atomic(int *) pointer = &x;
    int *expected = 0;
    printf("%d %d\n", atomic_compare_exchange_strong(&pointer, &expected, 0), expected == &x);
    _Atomic double real = 1.5;
    real += 2, atomic_thread_fence(memory_order_seq_cst), atomic_store_explicit(&real, real * 2, memory_order_relaxed);
    printf("%g\n", real);
    return 0;
}
