/* Advises a pilot what to do about one other aircraft and the ground.
 *
 * usage: altitude_advisory OWN_ALTITUDE OWN_RATE OTHER_ALTITUDE OTHER_RATE SECONDS RANGE GROUND GEAR FLAPS
 *                          LEVEL OTHER_INTENT INHIBITS
 *
 * Altitudes and ground in feet, rates in feet per minute, range in tenths of a nautical mile. GEAR is 0 or 1,
 * FLAPS 0 to 4, LEVEL (how early to speak) 1 to 4, OTHER_INTENT 0 none, 1 up, 2 down. INHIBITS is a sum of
 * 1 no climb, 2 no descent, 4 no stronger advice, 8 no advice about traffic. */

#include <stdio.h>
#include <stdlib.h>

enum { ARGUMENTS = 12 };
enum { NO_CLIMB = 1, NO_DESCENT = 2, NO_STRONGER = 4, NO_TRAFFIC = 8 };
enum { INTENT_NONE, INTENT_UP, INTENT_DOWN };

enum advice {
    CLEAR,
    TRAFFIC,
    LEVEL_OFF,
    HOLD,
    CLIMB,
    DESCEND,
    CLIMB_FASTER,
    DESCEND_FASTER,
    PULL_UP
};

static const char *const words[] = {
    "clear", "traffic", "level off", "hold", "climb", "descend", "climb faster", "descend faster", "pull up"
};

struct parameter {
    const char *name;
    int lowest;
    int highest;
};

static const struct parameter parameters[ARGUMENTS] = {
    { "own altitude", 0, 60000 }, { "own rate", -6000, 6000 },  { "other altitude", 0, 60000 },
    { "other rate", -6000, 6000 }, { "seconds", 0, 600 },        { "range", 0, 1000 },
    { "ground", 0, 30000 },        { "gear", 0, 1 },             { "flaps", 0, 4 },
    { "level", 1, 4 },             { "other intent", 0, 2 },     { "inhibits", 0, 15 },
};

/* For levels 1 to 4: how many seconds ahead to speak, and how many feet of distance are enough. */
static const int look_ahead[] = { 20, 30, 40, 60 };
static const int enough_feet[] = { 300, 450, 600, 850 };

static int own_altitude, own_rate, other_altitude, other_rate, seconds, range;
static int ground, gear, flaps, level, other_intent, inhibits;

static int altitude_after(int altitude, int rate, int time)
{
    int later = altitude + rate * time / 60;
    return later < 0 ? 0 : later;
}

static int distance(int left, int right)
{
    return left > right ? left - right : right - left;
}

/* Flying low with the gear down is a landing, and no reason to shout. */
static int is_landing(void)
{
    return gear == 1 && flaps >= 2 && own_rate < 0 && own_rate >= -1200;
}

static int ground_is_near(void)
{
    int height = own_altitude - ground;
    int floor = is_landing() ? 100 : 500;
    if (height < floor)
        return 1;
    return own_rate < 0 && height * 60 < -own_rate * 25 && !is_landing();
}

static int is_threat(void)
{
    int now = distance(own_altitude, other_altitude);
    int then = distance(altitude_after(own_altitude, own_rate, seconds),
                        altitude_after(other_altitude, other_rate, seconds));
    if (seconds > look_ahead[level - 1] && range > 5 * level)
        return 0;
    return now < enough_feet[level - 1] || then < enough_feet[level - 1];
}

/* Feet between the two aircraft at their closest, if the pilot flies at the given rate from now on. */
static int gap_at_rate(int rate)
{
    int mine = altitude_after(own_altitude, rate, seconds);
    int theirs = altitude_after(other_altitude, other_rate, seconds);
    return distance(mine, theirs);
}

static int may_climb(void)
{
    return !(inhibits & NO_CLIMB) && other_intent != INTENT_UP && !(flaps == 4 && gear);
}

static int may_descend(void)
{
    int lowest = altitude_after(own_altitude, -1500, seconds < 30 ? seconds : 30);
    return !(inhibits & NO_DESCENT) && other_intent != INTENT_DOWN && lowest - ground > 1000;
}

static enum advice against_traffic(void)
{
    int needed = enough_feet[level - 1];
    int up = may_climb() ? gap_at_rate(1500) : -1;
    int down = may_descend() ? gap_at_rate(-1500) : -1;
    int stronger = !(inhibits & NO_STRONGER);
    if (gap_at_rate(own_rate) >= needed)
        return HOLD;
    if (up < 0 && down < 0)
        return gap_at_rate(0) > gap_at_rate(own_rate) ? LEVEL_OFF : TRAFFIC;
    if (up > down || (up == down && own_altitude >= other_altitude))
        return up < needed && stronger && seconds >= 5 ? CLIMB_FASTER : CLIMB;
    return down < needed && stronger && seconds >= 5 ? DESCEND_FASTER : DESCEND;
}

static enum advice advise(void)
{
    if (ground_is_near())
        return PULL_UP;
    if (!is_threat())
        return CLEAR;
    if (inhibits & NO_TRAFFIC)
        return TRAFFIC;
    if (seconds * 2 > look_ahead[level - 1] && range > 2 * level)
        return TRAFFIC;
    return against_traffic();
}

static int read_argument(const char *text, const struct parameter *parameter)
{
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0') {
        fprintf(stderr, "%s: not a number\n", parameter->name);
        exit(2);
    }
    if (value < parameter->lowest || value > parameter->highest) {
        fprintf(stderr, "%s: not between %d and %d\n", parameter->name, parameter->lowest, parameter->highest);
        exit(2);
    }
    return (int)value;
}

int main(int argc, char **argv)
{
    int *const targets[ARGUMENTS] = { &own_altitude, &own_rate, &other_altitude, &other_rate, &seconds, &range,
                                      &ground,       &gear,     &flaps,          &level,      &other_intent, &inhibits };
    if (argc != ARGUMENTS + 1) {
        fprintf(stderr, "needed: %d numbers\n", ARGUMENTS);
        return 2;
    }
    for (int i = 0; i < ARGUMENTS; i++)
        *targets[i] = read_argument(argv[i + 1], &parameters[i]);
    printf("%s\n", words[advise()]);
    return 0;
}
