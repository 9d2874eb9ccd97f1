//! Many programs in one file, so that one run of the compiler serves all of them.
//!
//! In the VM, `program_N` is called by name with the bytes of the input; `digest_N` also folds
//! everything that was printed into its result. The file needs no C library: `leave` is the
//! system call, and output goes to a buffer. With `-DNATIVE` the same file is a
//! program that reads lines `N byte byte byte` and answers each with `value DIGEST` or
//! `exit STATUS`.

use std::fmt::Write;

use crate::ast::Program;
use crate::print::print_member;

/// Arguments of clang that turn a batch into bitcode for the VM, as `parallax` compiles C.
pub const GUEST_FLAGS: &[&str] = &[
    "--target=x86_64-unknown-linux-gnu",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-g",
    "-fno-stack-protector",
    "-w",
    "-c",
    "-emit-llvm",
];

const HEAD: &str = "\
static long output[64];
static unsigned output_count;

static void out(long value) {
    output[output_count & 63] = value;
    output_count++;
}

static void out_text(const char *text) {
    while (*text) out(*text++);
}

static unsigned long digest(long result) {
    unsigned long all = (unsigned long)result;
    for (unsigned i = 0; i < output_count && i < 64; i++) all = all * 31 + (unsigned long)output[i];
    return all * 31 + output_count;
}

#ifdef NATIVE
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static int status;

static _Noreturn void leave(int code) {
    status = code;
    longjmp(back, 1);
}
#else
long __parallax_syscall(long, long, long, long, long, long, long);

static _Noreturn void leave(int code) {
    __parallax_syscall(231, code, 0, 0, 0, 0, 0);
    __builtin_trap();
}
#endif

static _Noreturn void stop(void) {
    __builtin_trap();
}

";

/// The text of a file with all the programs.
pub fn print_batch(programs: &[Program]) -> String {
    let mut text = HEAD.to_owned();
    let mut cases = String::new();
    for (number, program) in programs.iter().enumerate() {
        text.push_str(&print_member(program, number).text);
        let count = program.input.len();
        let list = |before: &str| {
            let all: Vec<String> = (0..count).map(|i| format!("{before}in{i}")).collect();
            all.join(", ")
        };
        let (parameters, arguments) = (list("unsigned char "), list(""));
        let _ = write!(
            text,
            "unsigned long digest_{number}({parameters}) {{\n    \
             return digest(program_{number}({arguments}));\n}}\n\n"
        );
        let _ = writeln!(
            cases,
            "    case {number}: reset_{number}(); return digest_{number}({arguments});"
        );
    }
    let _ = write!(
        text,
        "#ifdef NATIVE\n\
         static unsigned long dispatch(int number, int in0, int in1, int in2) {{\n    \
         (void)in1, (void)in2;\n    output_count = 0;\n    switch (number) {{\n{cases}    }}\n    \
         return 0;\n}}\n\n\
         int main(void) {{\n    int number, a, b, c;\n    \
         while (scanf(\"%d %d %d %d\", &number, &a, &b, &c) == 4) {{\n        \
         if (setjmp(back)) printf(\"exit %d\\n\", status);\n        \
         else printf(\"value %lu\\n\", dispatch(number, a, b, c));\n    }}\n    \
         return 0;\n}}\n#endif\n"
    );
    text
}
