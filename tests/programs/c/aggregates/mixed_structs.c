// Structs that mix integer and floating members, in registers and in memory.
#include <stdio.h>

struct di { double d; int i; };
struct id { int i; double d; };
struct ff { float x, y; };
struct fff { float x, y, z; };
struct fi { float f; int i; };
struct dd { double x, y; };
struct cfs { char c; float f; short s; };
struct ldi { long l; float f; char c; };
struct big { double a; int b; float c; long d; char e; };
struct nest { struct ff a; struct { short s; char c; } b; };

static struct di a(struct di v) { v.d *= 2, v.i++; return v; }
static struct id b(struct id v) { v.d -= 0.5, v.i *= 3; return v; }
static struct ff c(struct ff v, float by) { return (struct ff){v.y + by, v.x - by}; }
static struct fff d(struct fff v) { return (struct fff){v.z, v.x, v.y * 2}; }
static struct fi e(struct fi v) { return (struct fi){(float)v.i, (int)v.f}; }
static struct dd f(struct dd v, struct dd w) { return (struct dd){v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x}; }
static struct cfs g(struct cfs v) { v.c++, v.f /= 3, v.s = (short)(v.s * 1000); return v; }
static struct ldi h(int pad, struct ldi v) { v.l <<= pad, v.f += (float)pad, v.c = (char)(v.c ^ pad); return v; }
static struct big i(struct big v, double x1, double x2, double x3, double x4, double x5, double x6, double x7, struct dd y) {
    v.a += x1 + x2 + x3 + x4 + x5 + x6 + x7 + y.x * y.y, v.b--, v.c *= 1.5f, v.d = -v.d, v.e = '!';
    return v;
}
static struct nest j(struct nest v) { v.a.x += v.b.s, v.b.c += 2, v.b.s = (short)v.a.y; return v; }

int main(void) {
    struct di va = {1.25, 7}; struct id vb = {3, 9.5}; struct ff vc = {1, 2}; struct fff vd = {1, 2, 3}; struct fi ve = {2.75f, 11};
    struct dd vf = {0.6, 0.8}; struct cfs vg = {'a', 10, 3}; struct ldi vh = {5, 0.5f, 'k'}; struct big vi = {1, 2, 3, 4, '5'};
    struct nest vj = {{1.5f, 42.9f}, {9, 'x'}};
    for (int n = 0; n < 3; n++) {
        va = a(va), vb = b(vb), vc = c(vc, 0.25f), vd = d(vd), ve = e(ve), vf = f(vf, vf), vg = g(vg), vh = h(3, vh);
        vi = i(vi, 1, 2, 3, 4, 5, 6, 7, vf), vj = j(vj);
        printf("%a %d|%d %a|%a %a|%a %a %a|%a %d\n", va.d, va.i, vb.i, vb.d, vc.x, vc.y, vd.x, vd.y, vd.z, ve.f, ve.i);
        printf("%a %a|%c %a %d|%ld %a %d\n", vf.x, vf.y, vg.c, vg.f, vg.s, vh.l, vh.f, vh.c);
        printf("%a %d %a %ld %c|%a %a %d %c\n", vi.a, vi.b, vi.c, vi.d, vi.e, vj.a.x, vj.a.y, vj.b.s, vj.b.c);
    }
    return 0;
}
