// io::Write in its forms: a Vec, a cursor, a custom adaptor, LineWriter, stdout locks, fmt::Write.
use std::fmt::Write as _;
use std::io::{self, BufWriter, Cursor, LineWriter, Write};

struct Upper<W: Write> { inner: W, written: usize }
impl<W: Write> Write for Upper<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(5)];
        self.inner.write_all(&part.to_ascii_uppercase())?;
        self.written += part.len();
        Ok(part.len())
    }
    fn flush(&mut self) -> io::Result<()> { self.inner.flush() }
}

fn main() -> io::Result<()> {
    let mut upper = Upper { inner: Vec::new(), written: 0 };
    write!(upper, "{}-{:03}-{:?}", "hello world", 7, "quoted")?;
    println!("{} {}", String::from_utf8_lossy(&upper.inner), upper.written);
    let mut cursor = Cursor::new(vec![b'.'; 10]);
    cursor.write_all(b"abc")?;
    cursor.set_position(8);
    cursor.write_all(b"xyz")?;
    println!("{:?} {}", std::str::from_utf8(cursor.get_ref()), cursor.position());
    let mut small = [0u8; 4];
    println!("{:?}", (&mut small[..]).write_all(b"too long").map_err(|e| (e.kind(), e.to_string())));
    let mut buffered = BufWriter::with_capacity(8, Upper { inner: io::stdout().lock(), written: 0 });
    for i in 0..5 { write!(buffered, "line {i};")? }
    buffered.flush()?;
    let inner = buffered.into_inner().map_err(|e| e.into_error())?;
    println!("\n{}", inner.written);
    drop(inner);
    let mut lines = LineWriter::new(Vec::new());
    lines.write_all(b"one\ntwo")?;
    println!("{:?}", String::from_utf8_lossy(lines.get_ref()));
    let mut text = String::new();
    for i in 0..3 { write!(text, "[{i:>2}]").unwrap() }
    writeln!(text).unwrap();
    io::stdout().write_all(text.as_bytes())?;
    io::stderr().write_all(b"plain bytes \xc3\xa9\n")?;
    io::copy(&mut Cursor::new("copied\n"), &mut io::stdout())?;
    print!("no newline at the end");
    Ok(())
}
