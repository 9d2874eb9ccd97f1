//! The parts of Rust's standard library that programs are made of.
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt;
use std::io::Read;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Circle { radius: f64 },
    Square(f64),
    Nothing,
}

#[derive(Debug)]
struct Tree {
    value: i128,
    children: Vec<Rc<Tree>>,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Circle { radius } => write!(f, "circle {radius:.3}"),
            Shape::Square(side) => write!(f, "square {side:>8}"),
            Shape::Nothing => f.write_str("nothing"),
        }
    }
}

impl Tree {
    fn sum(&self) -> i128 {
        self.value + self.children.iter().map(|child| child.sum()).sum::<i128>()
    }
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("readable");
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    let sorted: BTreeMap<_, _> = counts.iter().map(|(word, count)| (*count, word.to_uppercase())).collect();
    let unique: HashSet<char> = text.chars().collect();
    let mut queue: VecDeque<u64> = (0..text.len() as u64).collect();
    queue.rotate_left(queue.len() / 2);
    let shapes = [Shape::Circle { radius: 1.0 }, Shape::Square(text.len() as f64), Shape::Nothing];
    let leaf = Rc::new(Tree { value: text.len() as i128 * 3, children: Vec::new() });
    let tree = Tree { value: i128::MAX / 7, children: vec![leaf.clone(), leaf] };
    for shape in &shapes {
        println!("{shape} {shape:?}");
    }
    println!("{sorted:?} {} {:?} {} {:e}", unique.len(), queue.iter().sum::<u64>(), tree.sum(), 1.5e300_f64);
    println!("{:?} {:?}", "12".parse::<u128>(), "1e5".parse::<f32>());
    if text.contains("panic") {
        panic!("asked for: {tree:?}");
    }
}
