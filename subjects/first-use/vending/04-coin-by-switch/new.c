/* vending: a vending machine, driven by events on standard input.
 *
 *   coin N         a coin of 5, 10, 20, 50, 100 or 200 is inserted
 *   select CODE    a drink is chosen: A (80), B (120) or C (150)
 *   cancel         the money comes back
 *   refill CODE N  N more drinks
 *   service        on and off: no sales while the door is open
 *
 * Each event prints one line. The status is 1 if an event was not understood.
 */
#include <stdio.h>
#include <string.h>

enum state { IDLE, PAYING, SERVICE };

struct drink {
    char code;
    int price;
    int stock;
};

static struct drink drinks[] = {
    {'A', 80, 2},
    {'B', 120, 1},
    {'C', 150, 0},
};

#define DRINKS ((int)(sizeof drinks / sizeof drinks[0]))
#define MAX_CREDIT 500
#define MAX_STOCK 9

static enum state state = IDLE;
static int credit;
static int earned;

static int is_coin(int value)
{
    switch (value) {
    case 5:
    case 10:
    case 20:
    case 50:
    case 100:
    case 200:
        return 1;
    default:
        return 0;
    }
}

static struct drink *find_drink(char code)
{
    int i;
    for (i = 0; i < DRINKS; i++)
        if (drinks[i].code == code)
            return &drinks[i];
    return NULL;
}

static void give_change(void)
{
    static const int coins[] = {200, 100, 50, 20, 10, 5};
    int i;
    printf("change");
    for (i = 0; i < 6; i++) {
        while (credit >= coins[i]) {
            printf(" %d", coins[i]);
            credit -= coins[i];
        }
    }
    printf("\n");
    state = IDLE;
}

static void insert_coin(int value)
{
    if (state == SERVICE || !is_coin(value) || credit + value > MAX_CREDIT) {
        printf("rejected %d\n", value);
        return;
    }
    credit += value;
    state = PAYING;
    printf("credit %d\n", credit);
}

static void select_drink(char code)
{
    struct drink *d = find_drink(code);
    if (state == SERVICE) {
        printf("out of service\n");
    } else if (d == NULL) {
        printf("no such drink\n");
    } else if (d->stock == 0) {
        printf("sold out\n");
    } else if (credit < d->price) {
        printf("price %d, missing %d\n", d->price, d->price - credit);
    } else {
        d->stock--;
        credit -= d->price;
        earned += d->price;
        printf("drink %c, ", d->code);
        give_change();
    }
}

static void refill(char code, int number)
{
    struct drink *d = find_drink(code);
    if (state != SERVICE)
        printf("door closed\n");
    else if (d == NULL || number < 1 || number > MAX_STOCK - d->stock)
        printf("cannot refill\n");
    else
        printf("stock %d\n", d->stock += number);
}

int main(void)
{
    char word[32];
    char code;
    int number;
    int status = 0;

    while (scanf("%s", word) == 1) {
        if (strcmp(word, "coin") == 0 && scanf("%d", &number) == 1) {
            insert_coin(number);
        } else if (strcmp(word, "select") == 0 && scanf(" %c", &code) == 1) {
            select_drink(code);
        } else if (strcmp(word, "cancel") == 0) {
            if (state == PAYING)
                give_change();
            else
                printf("nothing to cancel\n");
        } else if (strcmp(word, "refill") == 0 && scanf(" %c %d", &code, &number) == 2) {
            refill(code, number);
        } else if (strcmp(word, "service") == 0) {
            if (state == PAYING)
                give_change();
            state = state == SERVICE ? IDLE : SERVICE;
            printf("service %s\n", state == SERVICE ? "on" : "off");
        } else {
            printf("not understood: %s\n", word);
            status = 1;
        }
    }
    printf("earned %d\n", earned);
    return status;
}
