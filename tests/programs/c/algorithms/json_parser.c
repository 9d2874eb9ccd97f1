// A small JSON reader that builds a tree, prints it in canonical form and frees it.
//@ stdin: {"name":"par\\u00e9 \\"x\\"", "list":[1,-2.5e3,true,null,[]], "deep":{"a":{"b":[{}, {"c":0.125}]}}, "empty":""}
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value { enum { NUL, BOOL, NUMBER, STRING, ARRAY, OBJECT } kind; double number; char *text; struct value *child, *next; char *key; };
static const char *at;
static int live;

static void skip(void) { while (isspace((unsigned char)*at)) at++; }
static void *fresh(size_t size) { live++; return calloc(1, size); }
static char *string(void) {
    char *out = fresh(200), *to = out;
    for (at++; *at && *at != '"'; at++) {
        if (*at != '\\') { *to++ = *at; continue; }
        at++;
        if (*at == 'u') { unsigned c = 0; sscanf(at + 1, "%4x", &c), at += 4; if (c < 128) *to++ = (char)c; else *to++ = (char)(0xc0 | c >> 6), *to++ = (char)(0x80 | (c & 63)); }
        else *to++ = *at == 'n' ? '\n' : *at;
    }
    at++;
    return out;
}
static struct value *parse(void) {
    struct value *v = fresh(sizeof *v), **tail = &v->child;
    skip();
    if (*at == '"') v->kind = STRING, v->text = string();
    else if (*at == '[' || *at == '{') {
        int object = *at++ == '{';
        v->kind = object ? OBJECT : ARRAY;
        for (skip(); *at && *at != ']' && *at != '}'; skip()) {
            char *key = NULL;
            if (object) key = string(), skip(), at++;
            *tail = parse(), (*tail)->key = key, tail = &(*tail)->next;
            skip();
            if (*at == ',') at++, skip();
        }
        at++;
    } else if (!strncmp(at, "true", 4)) v->kind = BOOL, v->number = 1, at += 4;
    else if (!strncmp(at, "false", 5)) v->kind = BOOL, at += 5;
    else if (!strncmp(at, "null", 4)) at += 4;
    else { char *end; v->kind = NUMBER, v->number = strtod(at, &end), at = end; }
    return v;
}
static int print(const struct value *v, int depth) {
    int nodes = 1;
    printf("%*s", depth * 2, "");
    if (v->key) printf("%s: ", v->key);
    switch (v->kind) {
    case NUL: puts("null"); break;
    case BOOL: puts(v->number != 0 ? "true" : "false"); break;
    case NUMBER: printf("%g\n", v->number); break;
    case STRING: printf("'%s'\n", v->text); break;
    default:
        puts(v->kind == ARRAY ? "array" : "object");
        for (const struct value *c = v->child; c; c = c->next) nodes += print(c, depth + 1);
    }
    return nodes;
}
static void release(struct value *v) {
    if (!v) return;
    release(v->child), release(v->next);
    if (v->text) free(v->text), live--;
    if (v->key) free(v->key), live--;
    free(v), live--;
}

int main(void) {
    char input[1000];
    input[fread(input, 1, sizeof input - 1, stdin)] = 0;
    at = input;
    struct value *v = parse();
    printf("%d nodes\n", print(v, 0));
    printf("%d live, ", live);
    release(v);
    printf("%d after\n", live);
    return 0;
}
