; Functions that run before and after main, and the symbols that a linker defines.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@__init_array_start = extern_weak hidden constant [0 x ptr]
@__init_array_end = extern_weak hidden constant [0 x ptr]
@__fini_array_end = external hidden constant [0 x ptr]
@__dso_handle = external hidden global i8
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 101, ptr @early, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @later, ptr null }]

define internal void @early() { ret void }
define internal void @late() { ret void }
define internal void @later() { ret void }

define i32 @main() {
  br label %loop
loop:
  %at = phi ptr [ @__init_array_start, %0 ], [ %next, %body ]
  %done = icmp eq ptr %at, @__init_array_end
  br i1 %done, label %end, label %body
body:
  %function = load ptr, ptr %at
  call void %function()
  %next = getelementptr inbounds ptr, ptr %at, i64 1
  br label %loop
end:
  %last = load ptr, ptr getelementptr inbounds (ptr, ptr @__fini_array_end, i64 -1)
  %handle = load i8, ptr @__dso_handle
  ret i32 0
}
