// Variables in .init_array and its relatives are functions to call, in order; a section's bounds make it an array.
#include <stdio.h>

static int order;
static void say(const char *what) { printf("%d %s\n", ++order, what); }
static void early(void) { say(".preinit_array"); }
static void numbered(void) { say(".init_array.5"); }
static void variable(void) { say(".init_array"); }
static void second(void) { say(".init_array, second"); }
static void last(void) { say(".fini_array"); }
static void before_last(void) { say(".fini_array, second"); }

__attribute__((used, section(".init_array"))) static void (*own)(void) = variable;
__attribute__((section(".init_array"))) void (*several[1])(void) = {second};
__attribute__((section(".init_array.5"))) void (*first)(void) = numbered;
__attribute__((section(".preinit_array"))) void (*very_first)(void) = early;
__attribute__((section(".fini_array"))) void (*ending)(void) = last;
__attribute__((section(".fini_array"))) void (*nearly)(void) = before_last;
__attribute__((constructor)) static void constructor(void) { say("constructor"); }
__attribute__((constructor(200))) static void prior(void) { say("constructor 200"); }
__attribute__((destructor)) static void destructor(void) { say("destructor"); }
__attribute__((destructor(300))) static void later(void) { say("destructor 300"); }

struct option { const char *name; int value; };
#define OPTION(name) __attribute__((used, section("options"), aligned(8))) static struct option option_##name = {#name, sizeof #name}
OPTION(alpha);
OPTION(be);
OPTION(gamma);
extern struct option __start_options[], __stop_options[];

int main(void) {
    say("main");
    for (struct option *each = __start_options; each < __stop_options; each++) printf("%s %d\n", each->name, each->value);
    __start_options[1].value = 70;
    printf("%d %d\n", option_be.value, (int)(__stop_options - __start_options));
    return 0;
}
