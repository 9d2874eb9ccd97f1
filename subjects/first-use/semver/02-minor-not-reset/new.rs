//! semver: compares versions and tests them against requirements.
//!
//!   semver compare VERSION VERSION       prints <, = or >
//!   semver bump major|minor|patch VERSION
//!   semver match REQUIREMENT VERSION     status 0 or 1; requirements: 1.2.3, ^1.2.3, ~1.2.3, >=1.2.3
//!
//! A version is MAJOR.MINOR.PATCH, with -PRERELEASE if it is not final.

use std::cmp::Ordering;
use std::fmt;
use std::process::ExitCode;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    major: u32,
    minor: u32,
    patch: u32,
    prerelease: Option<String>,
}

#[derive(Debug)]
enum Error {
    Usage,
    BadVersion(String),
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage => write!(f, "usage: semver compare|bump|match ..."),
            Error::BadVersion(text) => write!(f, "not a version: {text}"),
            Error::TooLarge => write!(f, "version number too large"),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if let Some(prerelease) = &self.prerelease {
            write!(f, "-{prerelease}")?;
        }
        Ok(())
    }
}

fn parse_number(text: &str) -> Option<u32> {
    let has_leading_zero = text.len() > 1 && text.starts_with('0');
    if has_leading_zero || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

fn parse_version(text: &str) -> Result<Version, Error> {
    let bad = || Error::BadVersion(text.to_string());
    let (numbers, prerelease) = match text.split_once('-') {
        Some((_, "")) => return Err(bad()),
        Some((numbers, rest)) => (numbers, Some(rest.to_string())),
        None => (text, None),
    };
    let mut parts = numbers.split('.');
    let mut next = || parts.next().and_then(parse_number).ok_or_else(bad);
    let major = next()?;
    let minor = next()?;
    let patch = next()?;
    if parts.next().is_some() {
        return Err(bad());
    }
    Ok(Version { major, minor, patch, prerelease })
}

fn compare(left: &Version, right: &Version) -> Ordering {
    let numbers = left
        .major
        .cmp(&right.major)
        .then(left.minor.cmp(&right.minor))
        .then(left.patch.cmp(&right.patch));
    if numbers != Ordering::Equal {
        return numbers;
    }
    match (&left.prerelease, &right.prerelease) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(left), Some(right)) => left.cmp(right),
    }
}

fn bump(part: &str, version: &Version) -> Result<Version, Error> {
    let mut new = version.clone();
    let field = match part {
        "major" => {
            new.patch = 0;
            &mut new.major
        }
        "minor" => {
            new.patch = 0;
            &mut new.minor
        }
        "patch" => &mut new.patch,
        _ => return Err(Error::Usage),
    };
    *field = field.checked_add(1).ok_or(Error::TooLarge)?;
    new.prerelease = None;
    Ok(new)
}

fn matches(requirement: &str, version: &Version) -> Result<bool, Error> {
    if let Some(rest) = requirement.strip_prefix(">=") {
        return Ok(compare(version, &parse_version(rest)?) != Ordering::Less);
    }
    if let Some(rest) = requirement.strip_prefix('^') {
        let least = parse_version(rest)?;
        let same = if least.major > 0 {
            version.major == least.major
        } else {
            version.major == 0 && version.minor == least.minor
        };
        return Ok(same && compare(version, &least) != Ordering::Less);
    }
    if let Some(rest) = requirement.strip_prefix('~') {
        let least = parse_version(rest)?;
        let same = version.major == least.major && version.minor == least.minor;
        return Ok(same && compare(version, &least) != Ordering::Less);
    }
    Ok(*version == parse_version(requirement)?)
}

fn run(args: &[String]) -> Result<bool, Error> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["compare", left, right] => {
            let sign = match compare(&parse_version(left)?, &parse_version(right)?) {
                Ordering::Less => "<",
                Ordering::Equal => "=",
                Ordering::Greater => ">",
            };
            println!("{sign}");
            Ok(true)
        }
        ["bump", part, version] => {
            println!("{}", bump(part, &parse_version(version)?)?);
            Ok(true)
        }
        ["match", requirement, version] => matches(requirement, &parse_version(version)?),
        _ => Err(Error::Usage),
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("semver: {error}");
            ExitCode::from(2)
        }
    }
}
