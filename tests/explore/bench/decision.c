// Whether two aircraft on crossing tracks should climb, descend or wait: a decision over 12 symbolic
// numbers with about 30 branches.
//@ run: zeros
#include "../../../crates/concolic-vm/include/parallax.h"
#include <stdio.h>

struct situation {
    int own_height, other_height, own_rate, other_rate;
    int distance, closing_speed, own_intent, other_intent;
    int alarm, quality, seconds_since_report, floor;
};

enum advice { NONE, WATCH, CLIMB, DESCEND, LEVEL };

static int is_close(const struct situation *s) {
    if (s->distance < 300) return 1;
    if (s->closing_speed <= 0) return 0;
    return s->distance < 2000 && s->closing_speed > 50;
}

static int is_trusted(const struct situation *s) {
    if (s->quality < 3) return 0;
    if (s->seconds_since_report > 10) return 0;
    return s->seconds_since_report >= 0 || s->quality > 6;
}

static int separation(const struct situation *s) {
    int above = s->own_height > s->other_height;
    return above ? s->own_height - s->other_height : s->other_height - s->own_height;
}

static int climbing_is_better(const struct situation *s) {
    if (s->own_height < s->floor) return 1;
    if (s->own_rate > s->other_rate + 10) return 1;
    if (s->other_rate > s->own_rate + 10) return 0;
    return s->own_height >= s->other_height;
}

static enum advice advise(const struct situation *s) {
    if (!is_trusted(s)) return s->alarm ? WATCH : NONE;
    if (!is_close(s)) {
        if (s->alarm > 1 && separation(s) < 100) return WATCH;
        return NONE;
    }
    int gap = separation(s);
    if (gap > 600) return gap > 1200 ? NONE : WATCH;
    if (s->other_intent == 1 && s->own_intent != 1) return DESCEND;
    if (s->other_intent == 2) {
        if (s->own_height < s->floor + 200) return LEVEL;
        return s->own_intent == 2 ? LEVEL : CLIMB;
    }
    if (climbing_is_better(s)) return s->own_rate > 80 ? LEVEL : CLIMB;
    if (s->own_height - 300 < s->floor) return CLIMB;
    return DESCEND;
}

int main(void) {
    struct situation situation;
    parallax_symbolic(&situation, sizeof situation, "situation");
    // Values beyond these are errors of the instruments, and keep sums small.
    int *values = (int *)&situation;
    for (int i = 0; i < 12; i++)
        if (values[i] < -30000 || values[i] > 30000) return 9;
    enum advice advice = advise(&situation);
    printf("%d\n", (int)advice);
    return (int)advice;
}
