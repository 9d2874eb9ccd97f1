; `maybe` stays in memory: one way to its use does not write it. `always` does not.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define i32 @sum(i1 %c) {
entry:
  %maybe = alloca i32
  %always = alloca i32
  br i1 %c, label %set, label %other
set:
  store i32 5, ptr %maybe
  store i32 6, ptr %always
  br label %use
other:
  store i32 7, ptr %always
  br label %use
use:
  %v = load i32, ptr %maybe
  %w = load i32, ptr %always
  %s = add nsw i32 %v, %w
  ret i32 %s
}
