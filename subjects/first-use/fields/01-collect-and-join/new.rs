//! fields: selects fields of the lines of standard input.
//!
//!   fields [-d DELIMITER] [-s] -f LIST
//!
//! LIST is fields and ranges such as `1,3-4,6-`; they are printed in the order of the line.
//! -s leaves out lines without the delimiter.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

#[derive(Debug, PartialEq)]
struct Range {
    first: usize,
    last: usize,
}

struct Options {
    delimiter: char,
    only_delimited: bool,
    ranges: Vec<Range>,
}

fn parse_number(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(0) => Err("fields are numbered from 1".to_string()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("not a number: '{text}'")),
    }
}

fn parse_range(text: &str) -> Result<Range, String> {
    let Some((first, last)) = text.split_once('-') else {
        let number = parse_number(text)?;
        return Ok(Range { first: number, last: number });
    };
    if first.is_empty() && last.is_empty() {
        return Err("a range needs an end".to_string());
    }
    let first = if first.is_empty() { 1 } else { parse_number(first)? };
    let last = if last.is_empty() { usize::MAX } else { parse_number(last)? };
    if first > last {
        return Err(format!("decreasing range: '{text}'"));
    }
    Ok(Range { first, last })
}

fn parse_list(text: &str) -> Result<Vec<Range>, String> {
    let mut ranges = Vec::new();
    for part in text.split(',') {
        ranges.push(parse_range(part)?);
    }
    Ok(ranges)
}

fn parse_options(args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut delimiter = '\t';
    let mut only_delimited = false;
    let mut ranges = None;
    let mut args = args;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-d" => {
                let value = args.next().ok_or("-d needs a value")?;
                let mut chars = value.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) => delimiter = c,
                    _ => return Err("the delimiter must be one character".to_string()),
                }
            }
            "-f" => {
                let value = args.next().ok_or("-f needs a value")?;
                ranges = Some(parse_list(&value)?);
            }
            "-s" => only_delimited = true,
            _ => return Err(format!("unknown argument '{arg}'")),
        }
    }
    Ok(Options {
        delimiter,
        only_delimited,
        ranges: ranges.ok_or("no fields: give -f LIST")?,
    })
}

fn select(line: &str, options: &Options) -> Option<String> {
    if !line.contains(options.delimiter) {
        return if options.only_delimited { None } else { Some(line.to_string()) };
    }
    let is_wanted = |number: usize| options.ranges.iter().any(|r| (r.first..=r.last).contains(&number));
    let fields: Vec<&str> = line
        .split(options.delimiter)
        .zip(1..)
        .filter(|&(_, number)| is_wanted(number))
        .map(|(field, _)| field)
        .collect();
    Some(fields.join(&options.delimiter.to_string()))
}

fn run(options: &Options) -> io::Result<()> {
    let stdin = io::stdin();
    let mut stdout = io::stdout().lock();
    for line in stdin.lock().lines() {
        let line = line?;
        if let Some(text) = select(&line, options) {
            writeln!(stdout, "{text}")?;
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let options = match parse_options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("fields: {message}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fields: {error}");
            ExitCode::from(1)
        }
    }
}
