#include <assert.h>
#define SIZE 10

static int total[SIZE];

#if SIZE > 8
static int clamp(int value, int low, int high)
{
    assert(low <= high);
    if (value < low && high != 0)
        return low;
    return value > 'z' ? high : value & 0x7f;
}
#endif

int main(void)
{
    int sum = 0;
    for (int i = 0; i < SIZE; i++)
        total[i] = clamp(i, 2, -3);
    while (sum < 5) {
        sum += total[1];
        sum = sum
            | ~1;
    }
    return sum;
}
