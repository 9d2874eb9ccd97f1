/* Memory: a sieve of Eratosthenes over bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    unsigned limit = argc > 1 ? strtoul(argv[1], 0, 10) : 1000000;
    unsigned char *composite = calloc(limit + 1, 1);
    unsigned primes = 0;
    if (!composite)
        return 1;
    for (unsigned i = 2; i <= limit; i++) {
        if (composite[i])
            continue;
        primes++;
        for (unsigned long long j = (unsigned long long)i * i; j <= limit; j += i)
            composite[j] = 1;
    }
    printf("%u primes up to %u\n", primes, limit);
    free(composite);
    return 0;
}
