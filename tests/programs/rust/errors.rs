// Error handling: custom errors, the question mark, Box<dyn Error>, sources, parse errors of std.
//@ run: good
//@ args: 12 4
//@ run: not a number
//@ args: 12 four
//@ run: zero
//@ args: 1 0
//@ run: missing
//@ args: 1
use std::error::Error;
use std::fmt;
use std::num::ParseIntError;

#[derive(Debug)]
enum CalcError { Missing(usize), Parse { position: usize, source: ParseIntError }, DivideByZero }
impl fmt::Display for CalcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CalcError::Missing(n) => write!(f, "argument {n} is missing"),
            CalcError::Parse { position, .. } => write!(f, "argument {position} is not a number"),
            CalcError::DivideByZero => f.write_str("division by zero"),
        }
    }
}
impl Error for CalcError {
    fn source(&self) -> Option<&(dyn Error + 'static)> { if let CalcError::Parse { source, .. } = self { Some(source) } else { None } }
}
fn argument(position: usize) -> Result<i64, CalcError> {
    let text = std::env::args().nth(position).ok_or(CalcError::Missing(position))?;
    text.parse().map_err(|source| CalcError::Parse { position, source })
}
fn ratio() -> Result<i64, Box<dyn Error>> {
    let (a, b) = (argument(1)?, argument(2)?);
    if b == 0 { return Err(CalcError::DivideByZero.into()) }
    if b < 0 { Err("negative divisor")? }
    Ok(a / b)
}
fn messages() -> Vec<String> {
    vec![
        "x".parse::<u8>().unwrap_err().to_string(), "300".parse::<u8>().unwrap_err().to_string(), "".parse::<i32>().unwrap_err().to_string(),
        "1.x".parse::<f64>().unwrap_err().to_string(), "maybe".parse::<bool>().unwrap_err().to_string(), "ab".parse::<char>().unwrap_err().to_string(),
        "1.2.3".parse::<std::net::Ipv4Addr>().unwrap_err().to_string(), String::from_utf8(vec![0xff]).unwrap_err().to_string(),
        u8::try_from(1000i32).unwrap_err().to_string(), std::char::from_u32(0x110000).map_or("none".into(), String::from),
        <[u8; 2]>::try_from(&[1u8][..]).unwrap_err().to_string(),
    ]
}

fn main() {
    for message in messages() { println!("{message}") }
    match ratio() {
        Ok(v) => println!("ratio {v}"),
        Err(e) => {
            eprintln!("error: {e}");
            let mut source = e.source();
            while let Some(inner) = source { eprintln!("  because: {inner}"); source = inner.source() }
            if let Some(CalcError::Missing(n)) = e.downcast_ref() { std::process::exit(10 + *n as i32) }
            std::process::exit(3);
        }
    }
}
