#!/bin/sh
# Makes the repository `postage`: a program that says what a parcel costs, in six commits. Names and times are fixed, so
# that the commits have the same ids everywhere.
set -e
mkdir postage
cd postage
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
day=1
commit() {
    git add -A
    GIT_AUTHOR_DATE="2024-05-0${day}T12:00:00Z" GIT_COMMITTER_DATE="2024-05-0${day}T12:00:00Z" git commit -q -m "$1"
    day=$((day + 1))
}
git init -q -b main
printf 'postage: main.c price.c price.h\n\t$(CC) -o $@ main.c price.c\n' >Makefile
printf 'postage\n*.o\n.parallax/\nparallax.toml\n' >.gitignore
cat >price.h <<'END'
int price(int weight);
END
cat >price.c <<'END'
#include "price.h"

int price(int weight)
{
    if (weight <= 10)
        return 3;
    if (weight <= 50)
        return 5;
    return 9;
}
END
cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "price.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    printf("%d\n", price(atoi(argv[1])));
    return 0;
}
END
commit 'Say what a parcel costs'
git tag v1
cat >price.c <<'END'
#include "price.h"

static const struct { int weight, price; } TABLE[] = { { 10, 3 }, { 50, 5 } };

int price(int weight)
{
    for (int row = 0; row < 2; row++)
        if (weight <= TABLE[row].weight)
            return TABLE[row].price;
    return 9;
}
END
commit 'Put the prices into a table'
printf 'Tells the price of a parcel by its weight.\n' >README
commit 'Say what the program does'
sed 's/weight <= TABLE/weight < TABLE/' price.c >new && mv new price.c
commit 'Tidy the comparison'
sed 's/return 9;/return 9/' price.c >new && mv new price.c
commit 'Begin a surcharge'
sed 's/return 9/return weight > 90 ? 12 : 9;/' price.c >new && mv new price.c
commit 'Add a surcharge for heavy parcels'
git tag v2
