// Reading lines and words from stdin, accumulating, and reporting bad lines on stderr.
//@ run: numbers
//@ stdin: 10 20\n-5\n\nabc 7\n99999999999999999999\n  42  \nlast 1
//@ run: empty
//@ run: binary
//@ stdin: ok 1\n\xff\xfe bad\nmore 2\n
use std::io::{self, BufRead, Read, Write};

fn main() -> io::Result<()> {
    let stdin = io::stdin();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut total, mut words, mut bad) = (0i64, 0usize, 0u8);
    let mut line = String::new();
    let mut number = 0;
    loop {
        line.clear();
        number += 1;
        match stdin.lock().read_line(&mut line) {
            Ok(0) => break,
            Ok(bytes) => writeln!(out, "{number}: {bytes} bytes {:?}", line.trim_end_matches('\n'))?,
            Err(e) => { writeln!(out, "{number}: {:?} {e}", e.kind())?; bad += 1; break }
        }
        for word in line.split_whitespace() {
            words += 1;
            match word.parse::<i64>() {
                Ok(n) => total += n,
                Err(e) => { bad += 1; eprintln!("line {number}: {word}: {e}") }
            }
        }
    }
    let mut rest = Vec::new();
    stdin.lock().read_to_end(&mut rest)?;
    writeln!(out, "{words} words, total {total}, {} bytes left", rest.len())?;
    out.flush()?;
    std::process::exit(i32::from(bad))
}
