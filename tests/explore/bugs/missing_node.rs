// A lookup by raw pointers: the caller of one command does not ask whether it found anything.
//@ explore: --sym-stdin 6
//@ outcome: null-dereference
//@ stack: weight main
//@ sanitizer: none(no sanitizer for Rust on stable; the native run ends with SIGSEGV)
//@ run: witness
//@ stdin: n5:w4;
//@ run: trivial
//@ stdin: \x00\x00\x00\x00\x00\x00
use std::io::Read;

struct Node {
    key: u8,
    weight: u32,
}

fn find(nodes: &[Node], key: u8) -> *const Node {
    let found = nodes.iter().find(|node| node.key == key);
    found.map_or(std::ptr::null(), |node| node)
}

#[inline(never)]
fn weight(node: *const Node) -> u32 {
    // SAFETY: wrong on purpose; the node may not exist.
    unsafe { (*std::hint::black_box(node)).weight } // ERROR
}

fn main() {
    let mut text = [0u8; 6];
    if std::io::stdin().read_exact(&mut text).is_err() || text[0] != b'n' {
        println!("no node");
        return;
    }
    let nodes = [Node { key: text[1], weight: 7 }, Node { key: b'3', weight: 1 }];
    if !text[1].is_ascii_digit() || text[2] != b':' || text[5] != b';' {
        println!("malformed");
        return;
    }
    let node = find(&nodes, text[4]);
    match text[3] {
        b'h' => println!("{}", !node.is_null()),
        b'w' => println!("{}", weight(node)),
        _ => println!("unknown"),
    }
}
