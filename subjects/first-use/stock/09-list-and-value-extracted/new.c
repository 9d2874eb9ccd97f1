/* stock: keeps a list of articles, by commands on standard input.
 *
 *   add NAME COUNT PRICE     adds COUNT pieces; a new price replaces the old one
 *   take NAME COUNT          takes pieces away
 *   drop NAME                forgets an article
 *   list                     prints all, by name
 *   value                    prints the value of everything
 *
 * With -q nothing is printed for add, take and drop. Errors go to standard error with their line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LENGTH 20

struct article {
    char name[NAME_LENGTH];
    int count;
    int price;
};

struct store {
    struct article *articles; /* sorted by name */
    size_t used;
    size_t capacity;
};

/* The place of `name`, or where it belongs. */
static size_t position(const struct store *store, const char *name)
{
    size_t low = 0;
    size_t high = store->used;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(store->articles[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct article *find(const struct store *store, const char *name)
{
    size_t at = position(store, name);
    if (at < store->used && strcmp(store->articles[at].name, name) == 0)
        return &store->articles[at];
    return NULL;
}

static struct article *insert(struct store *store, const char *name)
{
    size_t at = position(store, name);
    struct article *article;

    if (store->used == store->capacity) {
        size_t capacity = store->capacity == 0 ? 4 : store->capacity * 2;
        struct article *grown = realloc(store->articles, capacity * sizeof *grown);
        if (grown == NULL) {
            fprintf(stderr, "stock: out of memory\n");
            exit(3);
        }
        store->articles = grown;
        store->capacity = capacity;
    }
    article = &store->articles[at];
    memmove(article + 1, article, (store->used - at) * sizeof *article);
    store->used++;
    memset(article, 0, sizeof *article);
    strcpy(article->name, name);
    return article;
}

static void drop(struct store *store, struct article *article)
{
    size_t after = store->used - (size_t)(article - store->articles) - 1;
    memmove(article, article + 1, after * sizeof *article);
    store->used--;
}

static void print_list(const struct store *store)
{
    size_t i;
    for (i = 0; i < store->used; i++) {
        const struct article *a = &store->articles[i];
        printf("%-10s %4d %6d\n", a->name, a->count, a->price);
    }
}

static long total_value(const struct store *store)
{
    long value = 0;
    size_t i = store->used;
    while (i-- > 0)
        value += (long)store->articles[i].price * store->articles[i].count;
    return value;
}

/* Returns a message, or NULL if all is well. */
static const char *execute(struct store *store, const char *line, int quiet)
{
    char command[8];
    char name[NAME_LENGTH];
    int count;
    int price;
    int fields = sscanf(line, "%7s %19s %d %d", command, name, &count, &price);
    struct article *article = fields >= 2 ? find(store, name) : NULL;

    if (fields < 1)
        return NULL;
    if (strcmp(command, "add") == 0 && fields == 4) {
        if (count < 1 || count > 1000 || price < 0 || price > 10000)
            return "out of range";
        if (article == NULL)
            article = insert(store, name);
        if (article->count + count > 1000)
            return "too many";
        article->count += count;
        article->price = price;
    } else if (strcmp(command, "take") == 0 && fields == 3) {
        if (article == NULL)
            return "no such article";
        if (count < 1 || count > article->count)
            return "not enough";
        article->count -= count;
    } else if (strcmp(command, "drop") == 0 && fields == 2) {
        if (article == NULL)
            return "no such article";
        drop(store, article);
        if (!quiet)
            printf("dropped %s\n", name);
        return NULL;
    } else if (strcmp(command, "list") == 0 && fields == 1) {
        print_list(store);
        return NULL;
    } else if (strcmp(command, "value") == 0 && fields == 1) {
        printf("%ld\n", total_value(store));
        return NULL;
    } else {
        return "not understood";
    }
    if (!quiet)
        printf("%s: %d\n", name, article->count);
    return NULL;
}

int main(int argc, char **argv)
{
    struct store store = {NULL, 0, 0};
    char line[100];
    int number = 0;
    int errors = 0;
    int quiet = argc == 2 && strcmp(argv[1], "-q") == 0;

    if (argc > 2 || (argc == 2 && !quiet)) {
        fprintf(stderr, "usage: stock [-q]\n");
        return 2;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *message = execute(&store, line, quiet);
        number++;
        if (message != NULL) {
            fprintf(stderr, "line %d: %s\n", number, message);
            errors++;
        }
    }
    free(store.articles);
    return errors > 0 ? 1 : 0;
}
