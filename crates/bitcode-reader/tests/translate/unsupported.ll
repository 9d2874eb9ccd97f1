; What has no translation is named where it stands, and fails only when it is executed.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @assembly(i32 %x) {
  %y = call i32 asm "frobnicate $1, $0", "=r,r"(i32 %x)
  ret i32 %y
}

define bfloat @short_float(bfloat %x) {
  %y = fadd bfloat %x, %x
  ret bfloat %y
}

define i256 @wide_division(i256 %x) {
  %y = udiv i256 %x, 10
  ret i256 %y
}

define i64 @clock() {
  %ticks = call i64 @llvm.readcyclecounter()
  ret i64 %ticks
}

define void @jump_from_assembly() {
  callbr void asm "jmp ${0:l}", "!i"() to label %next [label %other]
next:
  ret void
other:
  ret void
}

declare i64 @llvm.readcyclecounter()
