; The inline assembly of C libraries, compilers' headers and Rust's standard library.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @libc_write(i64 %file, ptr %text, i64 %length) {
  %result = call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},~{rcx},~{r11},~{memory},~{dirflag},~{fpsr},~{flags}"(i64 1, i64 %file, ptr %text, i64 %length)
  ret i64 %result
}

define i64 @six_arguments(i64 %a, i64 %b) {
  %result = call i64 asm sideeffect "syscall", "={ax},{ax},{di},{si},{dx},{r10},{r8},{r9},~{rcx},~{r11},~{memory}"(i64 9, i64 %a, i64 %b, i64 3, i64 34, i64 -1, i64 0)
  ret i64 %result
}

define i64 @rust_syscall(i64 %a) {
  %all = call { i64, i64, i64 } asm sideeffect inteldialect "syscall", "=&{ax},=&{cx},=&{r11},0,{di},~{memory}"(i64 231, i64 %a)
  %result = extractvalue { i64, i64, i64 } %all, 0
  ret i64 %result
}

define ptr @thread() {
  %pointer = call ptr asm "mov %fs:0,$0", "=r,~{dirflag},~{fpsr},~{flags}"()
  ret ptr %pointer
}

define i32 @hidden(i32 %x) {
  %same = call i32 asm sideeffect "", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %x)
  call void asm sideeffect "", "r,~{memory}"(i32 %same)
  call void asm sideeffect "pause", "~{memory}"()
  call void asm sideeffect "mfence", "~{memory}"()
  ret i32 %same
}

define i32 @clang_cpuid(i32 %leaf) {
  %all = call { i32, i32, i32, i32 } asm "  xchgq  %rbx,${1:q}\0A  cpuid\0A  xchgq  %rbx,${1:q}", "={ax},=r,={cx},={dx},0,2,~{dirflag},~{fpsr},~{flags}"(i32 %leaf, i32 0)
  %b = extractvalue { i32, i32, i32, i32 } %all, 1
  ret i32 %b
}

define i32 @rust_cpuid(i32 %leaf, i32 %subleaf) {
  %all = call { i64, i32, i32, i32 } asm sideeffect inteldialect "mov ${0:q}, rbx\0Acpuid\0Axchg ${0:q}, rbx", "=&r,=&{ax},=&{cx},=&{dx},1,2,~{memory}"(i32 %leaf, i32 %subleaf)
  %d = extractvalue { i64, i32, i32, i32 } %all, 3
  ret i32 %d
}

define i32 @swap_add(ptr %cell, i32 %x) {
  %old = call i32 asm sideeffect "lock ; xadd $0, $1", "=r,=*m,0,*m,~{memory}"(ptr elementtype(i32) %cell, i32 %x, ptr elementtype(i32) %cell)
  %swapped = call i32 asm "bswap $0", "=r,0"(i32 %old)
  ret i32 %swapped
}
