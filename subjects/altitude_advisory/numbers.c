/* The decision as a function of twelve numbers, without the reading of arguments: `bench_decision` measures proofs on it. */

#define main program_main
#include "program.c"
#undef main

void parallax_symbolic(void *place, unsigned long size, const char *name);

int main(void)
{
    static const char *const names[ARGUMENTS] = { "own_altitude", "own_rate", "other_altitude", "other_rate", "seconds",
                                                  "range",        "ground",   "gear",           "flaps",      "level",
                                                  "other_intent", "inhibits" };
    int *const targets[ARGUMENTS] = { &own_altitude, &own_rate, &other_altitude, &other_rate, &seconds, &range,
                                      &ground,       &gear,     &flaps,          &level,      &other_intent, &inhibits };
    for (int i = 0; i < ARGUMENTS; i++) {
        parallax_symbolic(targets[i], sizeof(int), names[i]);
        if (*targets[i] < parameters[i].lowest || *targets[i] > parameters[i].highest)
            return 2;
    }
    puts(words[advise()]);
    return 0;
}
