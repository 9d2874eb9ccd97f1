// Trait objects, default methods, generics with bounds, associated types, operators, downcasting.
use std::any::Any;
use std::fmt::{Debug, Display};
use std::ops::{Add, Index, Mul, Neg};

trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String { "shape".into() }
    fn describe(&self) -> String { format!("{} of area {:.3}", self.name(), self.area()) }
}
struct Square(f64);
struct Triangle { base: f64, height: f64 }
impl Shape for Square { fn area(&self) -> f64 { self.0 * self.0 } fn name(&self) -> String { "square".into() } }
impl Shape for Triangle { fn area(&self) -> f64 { self.base * self.height / 2.0 } }
impl<T: Shape + ?Sized> Shape for Box<T> { fn area(&self) -> f64 { (**self).area() * 2.0 } fn name(&self) -> String { format!("boxed {}", (**self).name()) } }

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
struct Vector<const N: usize>([i64; N]) where [i64; N]: Default;
impl Add for Vector<3> { type Output = Self; fn add(self, o: Self) -> Self { Vector(std::array::from_fn(|i| self.0[i] + o.0[i])) } }
impl Mul<i64> for Vector<3> { type Output = Self; fn mul(self, k: i64) -> Self { Vector(self.0.map(|v| v * k)) } }
impl Neg for Vector<3> { type Output = Self; fn neg(self) -> Self { self * -1 } }
impl Index<char> for Vector<3> { type Output = i64; fn index(&self, c: char) -> &i64 { &self.0["xyz".find(c).unwrap()] } }

trait Container { type Item; fn items(&self) -> Vec<Self::Item>; }
impl Container for str { type Item = char; fn items(&self) -> Vec<char> { self.chars().collect() } }
impl Container for u32 { type Item = u32; fn items(&self) -> Vec<u32> { (0..32).filter(|b| self >> b & 1 == 1).collect() } }
fn show<C: Container + ?Sized>(c: &C) -> String where C::Item: Debug { format!("{:?}", c.items()) }
fn largest<T: PartialOrd + Copy>(values: &[T]) -> Option<T> { values.iter().copied().reduce(|a, b| if b > a { b } else { a }) }
fn both(a: impl Display, b: &dyn Debug) -> String { format!("{a}/{b:?}") }
fn kind(value: &dyn Any) -> String {
    if let Some(n) = value.downcast_ref::<i32>() { format!("i32 {n}") }
    else if let Some(s) = value.downcast_ref::<String>() { format!("string {s}") }
    else { "unknown".into() }
}

fn main() {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(1.5)), Box::new(Triangle { base: 3.0, height: 0.5 }), Box::new(Box::new(Square(2.0)))];
    for shape in &shapes { println!("{}", shape.describe()) }
    println!("{:.2}", shapes.iter().map(|s| s.area()).sum::<f64>());
    let v = Vector([1, 2, 3]);
    println!("{:?} {} {:?}", -(v + v * 10), v['y'], v.partial_cmp(&Vector([1, 2, 4])));
    println!("{:?} {}", Vector::<2>::default(), show("añb"));
    println!("{} {:?} {:?}", show(&0b1010_0001u32), largest(&[1.5, 9.25, -3.0]), largest::<u8>(&[]));
    println!("{} {} {} {}", both(1, &"x"), kind(&7i32), kind(&String::from("s")), kind(&1u8));
}
