// A register machine with memory, calls and traps, running three small programs.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum op { LOAD, MOVE, ADDR, SUBR, MULR, JUMP, JZ, JLT, CALL, RET, STORE, FETCH, OUT, STOP };
struct instruction { uint8_t op, a, b; int16_t c; };
struct machine { int64_t reg[8]; int32_t memory[64]; int stack[64], depth, pc; long steps; };

static const char *run(struct machine *m, const struct instruction *code, int length) {
    while (m->pc >= 0 && m->pc < length) {
        struct instruction i = code[m->pc++];
        if (++m->steps > 100000) return "step limit";
        switch ((enum op)i.op) {
        case LOAD: m->reg[i.a] = i.c; break;
        case MOVE: m->reg[i.a] = m->reg[i.b]; break;
        case ADDR: m->reg[i.a] += m->reg[i.b] + i.c; break;
        case SUBR: m->reg[i.a] -= m->reg[i.b] + i.c; break;
        case MULR: m->reg[i.a] *= m->reg[i.b]; break;
        case JUMP: m->pc = i.c; break;
        case JZ: if (!m->reg[i.a]) m->pc = i.c; break;
        case JLT: if (m->reg[i.a] < m->reg[i.b]) m->pc = i.c; break;
        case CALL: if (m->depth == 64) return "stack"; m->stack[m->depth++] = m->pc, m->pc = i.c; break;
        case RET: if (!m->depth) return "returned"; m->pc = m->stack[--m->depth]; break;
        case STORE: if (m->reg[i.b] < 0 || m->reg[i.b] > 63) return "bad store"; m->memory[m->reg[i.b]] = (int32_t)m->reg[i.a]; break;
        case FETCH: if (m->reg[i.b] < 0 || m->reg[i.b] > 63) return "bad fetch"; m->reg[i.a] = m->memory[m->reg[i.b]]; break;
        case OUT: printf("%lld ", (long long)m->reg[i.a]); break;
        case STOP: return "stopped";
        }
    }
    return "ran off";
}

int main(void) {
    static const struct instruction factorial[] = {{LOAD, 0, 0, 15}, {LOAD, 1, 0, 1}, {JZ, 0, 0, 6}, {MULR, 1, 0, 0}, {SUBR, 0, 7, 1}, {JUMP, 0, 0, 2}, {OUT, 1, 0, 0}, {STOP, 0, 0, 0}};
    static const struct instruction squares[] = {{LOAD, 2, 0, 40}, {MOVE, 3, 0, 0}, {MULR, 3, 0, 0}, {STORE, 3, 0, 0}, {ADDR, 0, 7, 1}, {JLT, 0, 2, 1},
                                                 {SUBR, 0, 7, 13}, {FETCH, 4, 0, 0}, {OUT, 4, 0, 0}, {JLT, 7, 0, 6}, {STOP, 0, 0, 0}};
    static const struct instruction recursion[] = {{CALL, 0, 0, 0}};
    static const struct instruction forever[] = {{ADDR, 1, 7, 1}, {JUMP, 0, 0, 0}};
    static const struct { const struct instruction *code; int length; } programs[] = {{factorial, 8}, {squares, 11}, {recursion, 1}, {forever, 2}};
    for (int p = 0; p < 4; p++) {
        struct machine m;
        memset(&m, 0, sizeof m);
        const char *end = run(&m, programs[p].code, programs[p].length);
        printf("%s after %ld steps, r1=%lld depth=%d\n", end, m.steps, (long long)m.reg[1], m.depth);
    }
    return 0;
}
