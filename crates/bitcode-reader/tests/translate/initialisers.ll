; Initial values of globals.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%mixed = type { i8, i32, ptr, double }

@zero = global [1000 x i32] zeroinitializer
@number = constant i64 -2
@odd = constant i37 -2
@wide = constant i128 -1234567890123456789012345678901234567
@wider = constant i256 -1
@half = constant half 0xH3C00
@long_double = constant x86_fp80 0xK3FFF8000000000000000
@text = private unnamed_addr constant [6 x i8] c"text\0A\00"
@0 = private constant [2 x i8] c"?\00"
@struct = global %mixed { i8 1, i32 2, ptr getelementptr inbounds (i8, ptr @text, i64 3), double 1.5 }
@array = constant [3 x ptr] [ptr @0, ptr null, ptr @function]
@packed = constant <{ i8, i64 }> <{ i8 1, i64 2 }>
@vector = constant <3 x i16> <i16 1, i16 -1, i16 2>
@bits = constant <10 x i1> <i1 1, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1, i1 1>
@pointers = constant <2 x ptr> <ptr @number, ptr @zero>
@distance = constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @function to i64), i64 ptrtoint (ptr @distance to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @other to i64), i64 ptrtoint (ptr getelementptr inbounds ([2 x i32], ptr @distance, i64 0, i64 1) to i64)) to i32)]
@labels = constant [2 x ptr] [ptr blockaddress(@function, %one), ptr blockaddress(@function, %two)]
@address = constant i64 add (i64 ptrtoint (ptr @struct to i64), i64 8)
@local = thread_local global i32 7
@outside = external global i32
@maybe = extern_weak global i32
@common = common global i32 0, align 4
@undefined = global [2 x i32] undef
@inside = alias i32, getelementptr inbounds (%mixed, ptr @struct, i64 0, i32 1)
@again = alias i32, ptr @inside
@other = alias i32 (i32), ptr @function
@chosen = ifunc i32 (i32), ptr @resolver

define i32 @function(i32 %x) {
  %target = getelementptr [2 x ptr], ptr @labels, i64 0, i32 %x
  %address = load ptr, ptr %target
  indirectbr ptr %address, [label %one, label %two]
one:
  ret i32 1
two:
  %value = load i32, ptr @again
  %sum = call i32 @chosen(i32 %value)
  ret i32 %sum
}

define ptr @resolver() { ret ptr @function }
