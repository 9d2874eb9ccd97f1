//! The frames that the reader counts, against those that clang makes.

use crate::support::{GUEST_FLAGS, bitcode, read, run, scratch};
use program_ir::{Constant, Function, InstData};
use std::process::Command;

const SOURCE: &str = r#"
#include <stdarg.h>
struct large { long words[20]; };
long sum(long n) { return n == 0 ? 0 : n + sum(n - 1); }
long summed(long n) { if (n == 0) return 0; return n + summed(n - 1); }
long ackermann(long m, long n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
int busy(int a, int b) {
    int x = a * b;
    char text[100];
    text[a] = b;
    return text[b] + x + busy(a - 1, b) * busy(a, b - 1) + busy(a + b, x) * busy(1, 2);
}
void down(int n) { if (n) down(n - 1); }
struct large passed(struct large all, int n) {
    if (!n) return all;
    all.words[n]++;
    return passed(all, n - 1);
}
long further(int count, ...) {
    va_list list;
    va_start(list, count);
    long total = 0;
    while (count--) total += va_arg(list, long);
    va_end(list);
    return total;
}
__int128 wide(__int128 a, __int128 b) { return a ? b + wide(a - 1, b * 3) : b; }
"#;

/// Bytes of the local variables that a body still has, and of the largest argument that is passed by value: the machine counts
/// both when they are made.
fn counted_later(function: &Function) -> u64 {
    let size = |data: &InstData| match data {
        InstData::Alloca {
            count,
            element_size,
            ..
        } => match function.constant(*count) {
            Some(Constant::Bits(count)) => count as u64 * element_size,
            _ => 0,
        },
        _ => 0,
    };
    let passed = |data: &InstData| {
        data.call().map_or(0, |call| {
            call.by_val.iter().map(|one| one.size).sum::<u64>()
        })
    };
    let nodes = || function.insts.values().map(|node| &node.data);
    nodes().map(size).sum::<u64>() + nodes().map(passed).max().unwrap_or(0)
}

#[test]
fn frames_are_not_smaller_than_clangs_and_not_much_larger() {
    let folder = scratch("stack_frames");
    let source = folder.join("frames.c");
    std::fs::write(&source, SOURCE).expect("a written source");
    let mut clang = Command::new("clang-22");
    clang.args([
        "-O0",
        "-w",
        "-fstack-usage",
        "-c",
        "frames.c",
        "-o",
        "frames.o",
    ]);
    run(clang.current_dir(&folder));
    bitcode(&source, &GUEST_FLAGS, &folder.join("frames.bc"));
    let module = read(&folder.join("frames.bc"));
    let usage = std::fs::read_to_string(folder.join("frames.su")).expect("clang wrote it");
    let mut compared = 0;
    for line in usage.lines() {
        let mut words = line.rsplit(':').next().expect("a line").split('\t');
        let (name, native) = (words.next().expect("a name"), words.next().expect("a size"));
        // Clang does not count the return address.
        let native = native.parse::<u64>().expect("a number") + 8;
        let func = module.function_named(name).expect("it was read");
        let function = &module.functions[func];
        let own = u64::from(function.frame_bytes) + counted_later(function);
        // Up to what alignment adds.
        assert!(own + 16 >= native, "{name}: {own} bytes, natively {native}");
        // Of the registers that further arguments may be in, clang may keep fewer than all.
        let kept = if function.signature.variadic { 176 } else { 0 };
        assert!(
            own <= 2 * native + kept,
            "{name}: {own} bytes, natively {native}"
        );
        compared += 1;
    }
    assert_eq!(compared, 8);
}
