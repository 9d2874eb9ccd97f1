// Rc, Weak, RefCell, Cell, Cow, Box<dyn>, Drop order, mem::{swap, replace, take}.
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

struct Noisy(&'static str);
impl Drop for Noisy { fn drop(&mut self) { println!("drop {}", self.0) } }

struct Node { name: String, parent: RefCell<Weak<Node>>, children: RefCell<Vec<Rc<Node>>>, visits: Cell<u32> }
impl Node {
    fn new(name: &str) -> Rc<Node> { Rc::new(Node { name: name.into(), parent: RefCell::default(), children: RefCell::default(), visits: Cell::new(0) }) }
    fn add(self: &Rc<Self>, child: Rc<Node>) { *child.parent.borrow_mut() = Rc::downgrade(self); self.children.borrow_mut().push(child) }
    fn path(&self) -> String {
        self.visits.set(self.visits.get() + 1);
        match self.parent.borrow().upgrade() { Some(p) => format!("{}/{}", p.path(), self.name), None => self.name.clone() }
    }
}
fn shout(text: &str) -> Cow<'_, str> { if text.chars().all(char::is_uppercase) { text.into() } else { text.to_uppercase().into() } }

fn main() {
    let root = Node::new("root");
    let (a, b) = (Node::new("a"), Node::new("b"));
    root.add(a.clone());
    a.add(b.clone());
    println!("{} {} {}", b.path(), a.path(), root.visits.get());
    println!("{} {} {}", Rc::strong_count(&a), Rc::weak_count(&root), Rc::ptr_eq(&a, &root.children.borrow()[0]));
    drop(root);
    println!("{} {:?}", a.path(), a.parent.borrow().upgrade().map(|p| p.name.clone()));
    let cell = RefCell::new(vec![1]);
    let held = cell.borrow();
    println!("{} {}", cell.try_borrow_mut().is_err(), held.len());
    drop(held);
    cell.borrow_mut().push(2);
    println!("{cell:?} {:?}", cell.replace(vec![]));
    println!("{} {}", matches!(shout("ABC"), Cow::Borrowed(_)), shout("abc"));
    let _first = Noisy("first");
    let mut second = Noisy("second");
    {
        let _inner = (Noisy("tuple 0"), Noisy("tuple 1"));
        let old = std::mem::replace(&mut second, Noisy("replacement"));
        println!("held {}", old.0);
    }
    let boxed: Vec<Box<Noisy>> = vec![Box::new(Noisy("box 0")), Box::new(Noisy("box 1"))];
    let mut kept = Some(boxed);
    let taken = kept.take();
    println!("{} {}", kept.is_none(), taken.map_or(0, |v| v.len()));
    std::mem::forget(Noisy("forgotten"));
    let mut shared = Rc::new(5);
    *Rc::make_mut(&mut shared) += 1;
    println!("{shared}");
    println!("{:?}", Rc::try_unwrap(shared));
}
