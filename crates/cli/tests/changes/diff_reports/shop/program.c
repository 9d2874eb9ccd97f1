#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 10
#define CLAMP(x) ((x) > LIMIT ? LIMIT : (x))

enum state { IDLE, BUSY, DONE };
typedef int amount;

struct item {
    int id;
    int price;
};

static const int rates[] = {1, 2, 5};
static int calls = 0;

static int total_of(const struct item *items, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++) {
        int price = items[i].price;
        if (price < 0)
            continue;
        total += price;
    }
    return total;
}

static amount discount(int total, int kind)
{
    amount result = 0;
    calls++;
    switch (kind) {
    case IDLE:
        result = total / 10;
        break;
    case BUSY:
        result = total / 5;
        break;
    default:
        result = rates[2];
    }
    return CLAMP(result);
}

static void show(const char *name, int value)
{
    printf("%s: %d\n", name, value);
}

int main(int argc, char **argv)
{
    struct item items[LIMIT];
    int count = 0;
    for (int i = 1; i < argc && count < LIMIT; i++) {
        items[count].id = i;
        items[count].price = atoi(argv[i]);
        count++;
    }
    int total = total_of(items, count);
    int state = total > 100 ? BUSY : IDLE;
    show("total", total);
    show("discount", discount(total, state));
    return 0;
}
