// The process is aborted on an inconsistent state, without a panic.
//@ outcome: abort
//@ stack: verify main
//@ sanitizer: none(abort is no memory error; the native run aborts)

#[inline(never)]
fn verify(checksum: u32) {
    if checksum != 42 {
        eprintln!("checksum mismatch");
        std::process::abort(); // ERROR
    }
}

fn main() {
    verify(42);
    println!("first check passed");
    verify(41);
}
