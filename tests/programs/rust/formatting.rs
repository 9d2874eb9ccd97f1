// The formatting language: width, fill, alignment, sign, radix, precision, debug forms, named arguments.
use std::fmt;

struct Point { x: i32, y: i32 }
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { write!(f, "Point[{}; {}]", self.x, self.y) } else { f.pad(&format!("({}, {})", self.x, self.y)) }
    }
}
impl fmt::LowerHex for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{:x}:{:x}", self.x, self.y) }
}
#[derive(Debug, Clone, Default)]
#[allow(dead_code)]
struct Nested { name: &'static str, values: Vec<Option<u8>>, tuple: (i32, char), unit: (), inner: Option<Box<Nested>> }
#[derive(Debug)]
#[allow(dead_code)]
enum Kind { Unit, Tuple(i32, f64), Struct { a: bool } }

fn main() {
    println!("[{:5}] [{:<5}] [{:^5}] [{:>5}] [{:*^7}] [{:05}] [{:+}]", 42, 42, 42, 42, 42, -42, 42);
    println!("[{:#x}] [{:#010b}] [{:o}] [{:X}] [{:#X}] [{:x}]", 255, 5, 8, 48879, 48879, -1i8);
    println!("[{:5}] [{:<5}] [{:>5}] [{:.2}] [{:-^9.3}]", "ab", "ab", "ab", "abcdef", "abcdef");
    let (width, precision, value) = (10, 3, 2.718281828);
    println!("[{value:width$.precision$}] [{:1$}] [{:.*}] [{:>1$.3}]", 7, 4, 1.23456, 9.87654);
    println!("{0} {1} {0} {name}", "a", "b", name = "named");
    println!("[{:>12}] [{:<12}] [{:#}] [{:x}]", Point { x: 1, y: -2 }, Point { x: 3, y: 4 }, Point { x: 5, y: 6 }, Point { x: 255, y: 16 });
    let nested = Nested { name: "outer\n", values: vec![Some(1), None], tuple: (-1, '\''), unit: (), inner: Some(Box::default()) };
    println!("{nested:?}\n{nested:#?}");
    println!("{:?} {:?} {:?}", Kind::Unit, Kind::Tuple(-1, 0.5), Kind::Struct { a: true });
    println!("{:#?}", Kind::Tuple(2, 1e20));
    println!("{:?} {:02x?} {:#?}", [1.5, 2.0], [10, 255], (1, "x"));
    println!("{{}} {{{}}} {}%", 1, 50);
    println!("{:?} {:?}", "quote\" tab\t", 'x');
    println!("{:10.3?}|{:<8?}|{:+?}", 1.0f64, Some(1), 3);
    println!("{}", format_args!("{} {}", 1, 2));
    assert_eq!(format!("{:>1$}", "x", 4), "   x");
    eprintln!("to stderr {:>6}", "ok");
}
