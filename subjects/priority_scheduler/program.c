/* Plays a scheduler with four priorities, by commands from standard input, one a line.
 *
 * usage: priority_scheduler [QUANTUM] < commands
 *
 *   add ID PRIORITY WORK   a new task (ID 0 to 99, PRIORITY 0 highest to 3, WORK 1 to 999 ticks)
 *   tick N                 let N ticks pass (1 to 500)
 *   block                  the running task waits for something
 *   wake ID                a waiting task is ready again, one priority higher
 *   renice ID PRIORITY     another base priority
 *   kill ID                a task ends at once
 *   show                   every task, in the order in which they would run
 *
 * The first task of the highest non-empty queue runs. After QUANTUM ticks (default 3) it goes to the end of the
 * queue one below, down to the lowest. A task that was passed over for 20 ticks moves one queue up. `#` begins a
 * comment. A wrong command is reported and ignored; the status is then 1. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 4, MAX_TASKS = 16, MAX_LINE = 80, MAX_ID = 99, MAX_WORK = 999, MAX_TICKS = 500, PATIENCE = 20 };

enum state { UNUSED, READY, WAITING };

struct task {
    int id;
    enum state state;
    int base;
    int level;
    int work;
    int waited; /* ticks since it last ran or moved */
    int used;   /* ticks of its quantum */
};

static struct task tasks[MAX_TASKS];

/* The queues hold places in `tasks`. */
static int queues[LEVELS][MAX_TASKS];
static int lengths[LEVELS];

static int quantum = 3;
static int now;
static int finished;
static int idle;
static int errors;

static void complain(int line, const char *message)
{
    errors++;
    printf("line %d: %s\n", line, message);
}

static int find_task(int id)
{
    for (int i = 0; i < MAX_TASKS; i++) {
        if (tasks[i].state != UNUSED && tasks[i].id == id)
            return i;
    }
    return -1;
}

static void enqueue(int place, int level)
{
    tasks[place].level = level;
    tasks[place].state = READY;
    tasks[place].waited = 0;
    tasks[place].used = 0;
    queues[level][lengths[level]++] = place;
}

static void dequeue(int place)
{
    int level = tasks[place].level;
    int kept = 0;
    for (int i = 0; i < lengths[level]; i++) {
        if (queues[level][i] != place)
            queues[level][kept++] = queues[level][i];
    }
    lengths[level] = kept;
}

/* The place of the task that runs, or -1. */
static int running(void)
{
    for (int level = 0; level < LEVELS; level++) {
        if (lengths[level] > 0)
            return queues[level][0];
    }
    return -1;
}

static void end_task(int place, const char *how)
{
    if (tasks[place].state == READY)
        dequeue(place);
    tasks[place].state = UNUSED;
    printf("[%d] task %d %s\n", now, tasks[place].id, how);
}

/* Everyone who is ready and not running gets more impatient. */
static void age_tasks(int except)
{
    for (int i = 0; i < MAX_TASKS; i++) {
        struct task *task = &tasks[i];
        if (task->state != READY || i == except)
            continue;
        task->waited++;
        if (task->waited >= PATIENCE && task->level > 0) {
            int level = task->level - 1;
            dequeue(i);
            enqueue(i, level);
        }
    }
}

static void tick(void)
{
    int place = running();
    now++;
    if (place < 0) {
        idle++;
        return;
    }
    struct task *task = &tasks[place];
    task->work--;
    task->used++;
    task->waited = 0;
    if (task->work == 0) {
        finished++;
        end_task(place, "is done");
    } else if (task->used == quantum) {
        int level = task->level;
        dequeue(place);
        enqueue(place, level < LEVELS - 1 ? level + 1 : level);
    }
    age_tasks(place);
}

static void add(int line, int id, int priority, int work)
{
    int place = -1;
    if (find_task(id) >= 0) {
        complain(line, "this task is there already");
        return;
    }
    for (int i = MAX_TASKS - 1; i >= 0; i--) {
        if (tasks[i].state == UNUSED)
            place = i;
    }
    if (place < 0) {
        complain(line, "too many tasks");
        return;
    }
    tasks[place].id = id;
    tasks[place].base = priority;
    tasks[place].work = work;
    enqueue(place, priority);
}

static void block(int line)
{
    int place = running();
    if (place < 0) {
        complain(line, "no task runs");
        return;
    }
    dequeue(place);
    tasks[place].state = WAITING;
}

static void wake(int line, int id)
{
    int place = find_task(id);
    if (place < 0) {
        complain(line, "no such task");
    } else if (tasks[place].state != WAITING) {
        complain(line, "this task does not wait");
    } else {
        enqueue(place, tasks[place].base > 0 ? tasks[place].base - 1 : 0);
    }
}

static void renice(int line, int id, int priority)
{
    int place = find_task(id);
    if (place < 0) {
        complain(line, "no such task");
        return;
    }
    tasks[place].base = priority;
    if (tasks[place].state == READY) {
        dequeue(place);
        enqueue(place, priority);
    }
}

static void show_task(const struct task *task, const char *how)
{
    printf("  %d %s, priority %d of %d, work %d\n", task->id, how, task->level, task->base, task->work);
}

static void show(void)
{
    printf("[%d] tasks\n", now);
    for (int level = 0; level < LEVELS; level++) {
        for (int i = 0; i < lengths[level]; i++) {
            int place = queues[level][i];
            show_task(&tasks[place], place == running() ? "runs" : "is ready");
        }
    }
    for (int i = 0; i < MAX_TASKS; i++) {
        if (tasks[i].state == WAITING)
            show_task(&tasks[i], "waits");
    }
}

/* Reads a number between bounds behind `*text`; complains and returns -1 if there is none. */
static int read_number(int line, char **text, int lowest, int highest)
{
    int value = 0;
    char *next = *text;
    while (*next == ' ')
        next++;
    if (*next < '0' || *next > '9') {
        complain(line, "a number is missing");
        return -1;
    }
    while (*next >= '0' && *next <= '9') {
        if (value <= highest)
            value = value * 10 + (*next - '0');
        next++;
    }
    *text = next;
    if (value < lowest || value > highest) {
        complain(line, "a number is out of range");
        return -1;
    }
    return value;
}

static int ends_here(int line, const char *text)
{
    while (*text == ' ')
        text++;
    if (*text != '\0' && *text != '#') {
        complain(line, "too many words");
        return 0;
    }
    return 1;
}

/* Whether the command has this name; `*text` is moved behind it. */
static int is_command(char **text, const char *name)
{
    size_t size = strlen(name);
    char end = '\0';
    if (strncmp(*text, name, size) != 0)
        return 0;
    end = (*text)[size];
    if (end != ' ' && end != '\0' && end != '#')
        return 0;
    *text += size;
    return 1;
}

static void obey(int line, char *text)
{
    int id = 0;
    int priority = 0;
    int number = 0;
    while (*text == ' ')
        text++;
    if (*text == '\0' || *text == '#')
        return;
    if (is_command(&text, "add")) {
        if ((id = read_number(line, &text, 0, MAX_ID)) < 0)
            return;
        if ((priority = read_number(line, &text, 0, LEVELS - 1)) < 0)
            return;
        if ((number = read_number(line, &text, 1, MAX_WORK)) < 0)
            return;
        if (ends_here(line, text))
            add(line, id, priority, number);
    } else if (is_command(&text, "tick")) {
        if ((number = read_number(line, &text, 1, MAX_TICKS)) < 0 || !ends_here(line, text))
            return;
        while (number-- > 0)
            tick();
    } else if (is_command(&text, "block")) {
        if (ends_here(line, text))
            block(line);
    } else if (is_command(&text, "wake")) {
        if ((id = read_number(line, &text, 0, MAX_ID)) >= 0 && ends_here(line, text))
            wake(line, id);
    } else if (is_command(&text, "renice")) {
        if ((id = read_number(line, &text, 0, MAX_ID)) < 0)
            return;
        if ((priority = read_number(line, &text, 0, LEVELS - 1)) >= 0 && ends_here(line, text))
            renice(line, id, priority);
    } else if (is_command(&text, "kill")) {
        if ((id = read_number(line, &text, 0, MAX_ID)) < 0 || !ends_here(line, text))
            return;
        if (find_task(id) < 0)
            complain(line, "no such task");
        else
            end_task(find_task(id), "is killed");
    } else if (is_command(&text, "show")) {
        if (ends_here(line, text))
            show();
    } else {
        complain(line, "unknown command");
    }
}

/* One line without its newline; 0 at the end of the input, -1 if it was too long (the rest is skipped). */
static int read_line(char *text)
{
    int size = 0;
    int c = getchar();
    if (c == EOF)
        return 0;
    while (c != EOF && c != '\n') {
        if (size < MAX_LINE)
            text[size] = (char)(c == '\t' || c == '\0' ? ' ' : c);
        size++;
        c = getchar();
    }
    text[size < MAX_LINE ? size : MAX_LINE] = '\0';
    return size <= MAX_LINE ? 1 : -1;
}

int main(int argc, char **argv)
{
    char text[MAX_LINE + 1];
    int line = 0;
    int result = 0;
    if (argc > 2) {
        fprintf(stderr, "usage: priority_scheduler [QUANTUM] < commands\n");
        return 2;
    }
    if (argc == 2) {
        char *end = NULL;
        long given = strtol(argv[1], &end, 10);
        if (end == argv[1] || *end != '\0' || given < 1 || given > 50) {
            fprintf(stderr, "priority_scheduler: the quantum must be between 1 and 50\n");
            return 2;
        }
        quantum = (int)given;
    }
    while ((result = read_line(text)) != 0) {
        line++;
        if (result < 0)
            complain(line, "the line is too long");
        else
            obey(line, text);
    }
    printf("%d ticks, %d idle, %d done\n", now, idle, finished);
    return errors > 0 ? 1 : 0;
}
