; Intrinsics and instructions that C reaches only with difficulty.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@name = private constant [5 x i8] c"word\00"
@numbers = private global [8 x i32] [i32 1, i32 -2, i32 3, i32 -4, i32 5, i32 -6, i32 7, i32 -8], align 16
@table = private constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @first to i64), i64 ptrtoint (ptr @table to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @second to i64), i64 ptrtoint (ptr @table to i64)) to i32)]

declare void @show(ptr, i64)

define void @out(i64 %value) noinline {
  call void @show(ptr @name, i64 %value)
  ret void
}

define void @out32(<4 x i32> %value) noinline {
  %wide = zext <4 x i32> %value to <4 x i64>
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %element = extractelement <4 x i64> %wide, i64 %i
  call void @out(i64 %element)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %done
done:
  ret void
}

define i64 @first(i64 %x) {
  %y = mul i64 %x, 3
  ret i64 %y
}

define i64 @second(i64 %x) {
  %y = xor i64 %x, 255
  ret i64 %y
}

define void @saturating_casts(double %d) noinline {
  %a = call i32 @llvm.fptosi.sat.i32.f64(double %d)
  %a64 = sext i32 %a to i64
  call void @out(i64 %a64)
  %b = call i64 @llvm.fptoui.sat.i64.f64(double %d)
  call void @out(i64 %b)
  %c = call i8 @llvm.fptosi.sat.i8.f64(double %d)
  %c64 = sext i8 %c to i64
  call void @out(i64 %c64)
  ret void
}

define void @funnels(i32 %a, i32 %b, i32 %c) noinline {
  %l = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %c)
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %c)
  %l64 = zext i32 %l to i64
  %r64 = zext i32 %r to i64
  call void @out(i64 %l64)
  call void @out(i64 %r64)
  %odd = trunc i32 %a to i13
  %odder = trunc i32 %b to i13
  %by = trunc i32 %c to i13
  %o = call i13 @llvm.fshl.i13(i13 %odd, i13 %odder, i13 %by)
  %o64 = zext i13 %o to i64
  call void @out(i64 %o64)
  %s = call i32 @llvm.scmp.i32.i32(i32 %a, i32 %b)
  %u = call i8 @llvm.ucmp.i8.i32(i32 %a, i32 %b)
  %s64 = sext i32 %s to i64
  %u64 = sext i8 %u to i64
  call void @out(i64 %s64)
  call void @out(i64 %u64)
  %m = and i32 %c, 31
  %st = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %m)
  %ut = call i32 @llvm.ushl.sat.i32(i32 %a, i32 %m)
  %st64 = zext i32 %st to i64
  %ut64 = zext i32 %ut to i64
  call void @out(i64 %st64)
  call void @out(i64 %ut64)
  ret void
}

define void @masked(ptr %base, <4 x i1> %mask) noinline {
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %base, <4 x i1> %mask, <4 x i32> <i32 100, i32 101, i32 102, i32 103>)
  call void @out32(<4 x i32> %loaded)
  %plus = add <4 x i32> %loaded, <i32 1000, i32 1000, i32 1000, i32 1000>
  %high = getelementptr i32, ptr %base, i64 4
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %plus, ptr align 4 %high, <4 x i1> %mask)
  %stored = load <4 x i32>, ptr %high
  call void @out32(<4 x i32> %stored)
  %places = getelementptr i32, ptr %base, <4 x i64> <i64 6, i64 0, i64 5, i64 1>
  %gathered = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %places, <4 x i1> %mask, <4 x i32> zeroinitializer)
  call void @out32(<4 x i32> %gathered)
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> <i32 7, i32 8, i32 9, i32 10>, <4 x ptr> align 4 %places, <4 x i1> %mask)
  %scattered = load <4 x i32>, ptr %base
  call void @out32(<4 x i32> %scattered)
  ret void
}

define void @reductions(<4 x i32> %v, <4 x float> %f) noinline {
  %add = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %add64 = zext i32 %add to i64
  call void @out(i64 %add64)
  %and = call i32 @llvm.vector.reduce.and.v4i32(<4 x i32> %v)
  %and64 = zext i32 %and to i64
  call void @out(i64 %and64)
  %umax = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %v)
  %umax64 = zext i32 %umax to i64
  call void @out(i64 %umax64)
  %fadd = call float @llvm.vector.reduce.fadd.v4f32(float 0.5, <4 x float> %f)
  %faddbits = bitcast float %fadd to i32
  %fadd64 = zext i32 %faddbits to i64
  call void @out(i64 %fadd64)
  %fmax = call float @llvm.vector.reduce.fmax.v4f32(<4 x float> %f)
  %fmaxbits = bitcast float %fmax to i32
  %fmax64 = zext i32 %fmaxbits to i64
  call void @out(i64 %fmax64)
  %minimum = call <4 x float> @llvm.minimum.v4f32(<4 x float> %f, <4 x float> zeroinitializer)
  %minimumbits = bitcast <4 x float> %minimum to <4 x i32>
  call void @out32(<4 x i32> %minimumbits)
  %class = call <4 x i1> @llvm.is.fpclass.v4f32(<4 x float> %f, i32 264)
  %classbits = zext <4 x i1> %class to <4 x i32>
  call void @out32(<4 x i32> %classbits)
  %sums = call { <4 x i32>, <4 x i1> } @llvm.sadd.with.overflow.v4i32(<4 x i32> %v, <4 x i32> <i32 2147483647, i32 1, i32 2147483647, i32 0>)
  %wrapped = extractvalue { <4 x i32>, <4 x i1> } %sums, 0
  call void @out32(<4 x i32> %wrapped)
  %over = extractvalue { <4 x i32>, <4 x i1> } %sums, 1
  %overbits = zext <4 x i1> %over to <4 x i32>
  call void @out32(<4 x i32> %overbits)
  %steps = call <4 x i32> @llvm.stepvector.v4i32()
  call void @out32(<4 x i32> %steps)
  %backwards = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %v)
  call void @out32(<4 x i32> %backwards)
  ret void
}

define void @aggregates(i1 %which, i64 %n, i8 %index) noinline {
  %a = insertvalue { i64, [2 x i32], { i8, double } } zeroinitializer, i32 7, 1, 1
  %b = insertvalue { i64, [2 x i32], { i8, double } } %a, i64 %n, 0
  %c = select i1 %which, { i64, [2 x i32], { i8, double } } %a, { i64, [2 x i32], { i8, double } } %b
  %d = extractvalue { i64, [2 x i32], { i8, double } } %c, 0
  call void @out(i64 %d)
  %slot = alloca { i64, [2 x i32], { i8, double } }
  store { i64, [2 x i32], { i8, double } } %c, ptr %slot
  %e = load { i64, [2 x i32], { i8, double } }, ptr %slot
  %f = extractvalue { i64, [2 x i32], { i8, double } } %e, 1, 1
  %f64 = zext i32 %f to i64
  call void @out(i64 %f64)
  %v = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 99, i8 %index
  call void @out32(<4 x i32> %v)
  %frozen = freeze <4 x i32> %v
  %mixed = shufflevector <4 x i32> %frozen, <4 x i32> poison, <4 x i32> <i32 3, i32 poison, i32 0, i32 poison>
  %last = shufflevector <4 x i32> %mixed, <4 x i32> %v, <4 x i32> <i32 0, i32 4, i32 2, i32 5>
  call void @out32(<4 x i32> %last)
  %narrow = extractelement <4 x i32> %v, i2 -2
  %narrow64 = zext i32 %narrow to i64
  call void @out(i64 %narrow64)
  %lanes = select <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> %v, <4 x i32> zeroinitializer
  call void @out32(<4 x i32> %lanes)
  %bits = bitcast <4 x i32> %v to i128
  %shifted = lshr i128 %bits, 20
  %cut = trunc i128 %shifted to i64
  call void @out(i64 %cut)
  %mask = icmp sgt <4 x i32> %v, <i32 2, i32 2, i32 2, i32 2>
  %nibble = bitcast <4 x i1> %mask to i4
  %nibble64 = zext i4 %nibble to i64
  call void @out(i64 %nibble64)
  ret void
}

define void @relative(i64 %which, i64 %x) noinline {
  %offset = shl i64 %which, 2
  %target = call ptr @llvm.load.relative.i64(ptr @table, i64 %offset)
  %y = call i64 %target(i64 %x)
  call void @out(i64 %y)
  ret void
}

define void @rare_atomics(i32 %start, i32 %operand) noinline {
  %cell = alloca i32
  store i32 %start, ptr %cell
  %a = atomicrmw uinc_wrap ptr %cell, i32 %operand seq_cst
  %b = atomicrmw udec_wrap ptr %cell, i32 %operand seq_cst
  %c = atomicrmw usub_cond ptr %cell, i32 %operand seq_cst
  %d = atomicrmw usub_sat ptr %cell, i32 %operand seq_cst
  %e = load i32, ptr %cell
  %v0 = insertelement <4 x i32> zeroinitializer, i32 %b, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %c, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %d, i32 2
  %v3 = insertelement <4 x i32> %v2, i32 %e, i32 3
  call void @out32(<4 x i32> %v3)
  ret void
}

define void @sse2(<16 x i8> %bytes, <8 x i16> %words) noinline {
  %mask = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %bytes)
  %mask64 = zext i32 %mask to i64
  call void @out(i64 %mask64)
  %sad = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %bytes, <16 x i8> zeroinitializer)
  %sad32 = bitcast <2 x i64> %sad to <4 x i32>
  call void @out32(<4 x i32> %sad32)
  %packed = call <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16> %words, <8 x i16> %words)
  %packed32 = bitcast <16 x i8> %packed to <4 x i32>
  call void @out32(<4 x i32> %packed32)
  %signed = call <16 x i8> @llvm.x86.sse2.packsswb.128(<8 x i16> %words, <8 x i16> %words)
  %signed32 = bitcast <16 x i8> %signed to <4 x i32>
  call void @out32(<4 x i32> %signed32)
  %madd = call <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16> %words, <8 x i16> <i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7, i16 -8>)
  call void @out32(<4 x i32> %madd)
  %high = call <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16> %words, <8 x i16> %words)
  %high32 = bitcast <8 x i16> %high to <4 x i32>
  call void @out32(<4 x i32> %high32)
  %left = call <8 x i16> @llvm.x86.sse2.pslli.w(<8 x i16> %words, i32 3)
  %left32 = bitcast <8 x i16> %left to <4 x i32>
  call void @out32(<4 x i32> %left32)
  %far = call <8 x i16> @llvm.x86.sse2.psrai.w(<8 x i16> %words, i32 40)
  %far32 = bitcast <8 x i16> %far to <4 x i32>
  call void @out32(<4 x i32> %far32)
  ret void
}

define i32 @main() {
  call void @saturating_casts(double 1.5)
  call void @saturating_casts(double -3.7e9)
  call void @saturating_casts(double 0x7FF8000000000000)
  call void @saturating_casts(double 1.0e30)
  call void @saturating_casts(double 200.0)
  call void @funnels(i32 -559038737, i32 305419896, i32 13)
  call void @funnels(i32 1, i32 -1, i32 32)
  call void @funnels(i32 7, i32 7, i32 45)
  call void @masked(ptr @numbers, <4 x i1> <i1 true, i1 false, i1 true, i1 true>)
  call void @masked(ptr @numbers, <4 x i1> <i1 false, i1 true, i1 false, i1 true>)
  call void @reductions(<4 x i32> <i32 1, i32 2147483647, i32 -5, i32 77>, <4 x float> <float 1.5, float -2.5, float 3.25, float -0.0>)
  call void @aggregates(i1 true, i64 55, i8 2)
  call void @aggregates(i1 false, i64 66, i8 0)
  call void @relative(i64 0, i64 14)
  call void @relative(i64 1, i64 14)
  call void @rare_atomics(i32 5, i32 9)
  call void @rare_atomics(i32 9, i32 9)
  call void @rare_atomics(i32 0, i32 3)
  call void @sse2(<16 x i8> <i8 1, i8 -1, i8 3, i8 -128, i8 5, i8 6, i8 127, i8 8, i8 9, i8 -10, i8 11, i8 12, i8 13, i8 14, i8 15, i8 -16>, <8 x i16> <i16 1, i16 -1, i16 300, i16 -300, i16 127, i16 128, i16 -32768, i16 32767>)
  ret i32 17
}
