//! The inputs that a program is explored with, as its `//@ explore:` line says in the flags of
//! `parallax explore`, and their enumeration for brute force.

/// Bounds of the symbolic input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    /// The line as it is, split into words.
    pub flags: Vec<String>,
    /// `--sym-args MIN MAX LENGTH`: so many arguments, each of at most so many bytes, none of them NUL.
    /// They follow the arguments of the run.
    pub arguments: Option<Arguments>,
    /// `--sym-stdin SIZE`: exactly so many bytes.
    pub stdin: Option<usize>,
    /// `--sym-file NAME SIZE`: a file of exactly so many bytes.
    pub files: Vec<(String, usize)>,
    /// `--sym-env NAME LENGTH`: a variable whose value has at most so many bytes, none of them NUL.
    pub environment: Vec<(String, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    pub least: usize,
    pub most: usize,
    pub length: usize,
}

/// One input out of the domain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DomainInput {
    pub arguments: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    pub files: Vec<(String, Vec<u8>)>,
    pub environment: Vec<(String, Vec<u8>)>,
}

impl Domain {
    pub fn parse(text: &str) -> Result<Domain, String> {
        let flags: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let mut domain = Domain::default();
        let mut words = flags.iter();
        while let Some(flag) = words.next() {
            let mut word = || words.next().ok_or(format!("`{flag}` needs more values"));
            match flag.as_str() {
                "--sym-args" => {
                    let arguments = Arguments {
                        least: number(word()?)?,
                        most: number(word()?)?,
                        length: number(word()?)?,
                    };
                    if arguments.least > arguments.most {
                        return Err(format!("`{text}` has more least than most arguments"));
                    }
                    domain.arguments = Some(arguments);
                }
                "--sym-stdin" => domain.stdin = Some(number(word()?)?),
                "--sym-file" => domain.files.push((word()?.clone(), number(word()?)?)),
                "--sym-env" => domain.environment.push((word()?.clone(), number(word()?)?)),
                _ => return Err(format!("`{flag}` is not a flag that makes input symbolic")),
            }
        }
        domain.flags = flags;
        Ok(domain)
    }

    /// How many inputs there are, or the largest number if there are more.
    pub fn size(&self) -> u64 {
        let exact = |length: usize| 256u64.saturating_pow(length as u32);
        let strings = |length: usize| {
            let lengths = (0..=length).map(|length| 255u64.saturating_pow(length as u32));
            lengths.fold(0, u64::saturating_add)
        };
        let arguments = self.arguments.map_or(1, |arguments| {
            let counts = arguments.least..=arguments.most;
            let each = strings(arguments.length);
            let lists = counts.map(|count| each.saturating_pow(count as u32));
            lists.fold(0, u64::saturating_add)
        });
        let files = self.files.iter().map(|(_, size)| exact(*size));
        let variables = self.environment.iter().map(|(_, length)| strings(*length));
        let stdin = exact(self.stdin.unwrap_or(0));
        files
            .chain(variables)
            .fold(arguments.saturating_mul(stdin), u64::saturating_mul)
    }

    /// Every input. Ask for [`Domain::size`] first.
    pub fn inputs(&self) -> Vec<DomainInput> {
        let mut all = vec![DomainInput::default()];
        if let Some(arguments) = self.arguments {
            let each = strings(arguments.length);
            let mut lists = vec![DomainInput::default()];
            let mut kept = Vec::new();
            for count in 0..=arguments.most {
                if count >= arguments.least {
                    kept.extend(lists.iter().cloned());
                }
                if count < arguments.most {
                    lists = product(&lists, &each, |input, text| input.arguments.push(text));
                }
            }
            all = kept;
        }
        if let Some(size) = self.stdin {
            all = product(&all, &exact(size), |input, bytes| input.stdin = bytes);
        }
        for (name, size) in &self.files {
            all = product(&all, &exact(*size), |input, bytes| {
                input.files.push((name.clone(), bytes));
            });
        }
        for (name, length) in &self.environment {
            all = product(&all, &strings(*length), |input, text| {
                input.environment.push((name.clone(), text));
            });
        }
        all
    }
}

fn product(
    inputs: &[DomainInput],
    values: &[Vec<u8>],
    put: impl Fn(&mut DomainInput, Vec<u8>),
) -> Vec<DomainInput> {
    let pairs = inputs
        .iter()
        .flat_map(|input| values.iter().map(move |value| (input, value)));
    let combined = pairs.map(|(input, value)| {
        let mut input = input.clone();
        put(&mut input, value.clone());
        input
    });
    combined.collect()
}

/// All byte strings of this length.
fn exact(length: usize) -> Vec<Vec<u8>> {
    longer(length, 0)
}

/// All strings of at most this length, without NUL.
fn strings(length: usize) -> Vec<Vec<u8>> {
    (0..=length).flat_map(|length| longer(length, 1)).collect()
}

fn longer(length: usize, first: u8) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let extended = all.iter().flat_map(|text: &Vec<u8>| {
            (first..=u8::MAX).map(move |byte| {
                let mut text = text.clone();
                text.push(byte);
                text
            })
        });
        all = extended.collect();
    }
    all
}

fn number(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|error| format!("`{text}` is not a number: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_the_number_of_inputs() {
        for text in [
            "--sym-stdin 1",
            "--sym-stdin 2",
            "--sym-args 1 1 2",
            "--sym-args 0 2 1",
            "--sym-file data 1 --sym-env MODE 1",
            "",
        ] {
            let domain = Domain::parse(text).unwrap();
            let inputs = domain.inputs();
            assert_eq!(inputs.len() as u64, domain.size(), "{text}");
            let different: std::collections::HashSet<_> = inputs.iter().collect();
            assert_eq!(different.len(), inputs.len(), "{text}");
        }
    }

    #[test]
    fn malformed_flags_are_errors() {
        for text in [
            "--sym-args 1 1",
            "--sym-args 2 1 1",
            "--sym-stdin x",
            "--stdin 1",
        ] {
            assert!(Domain::parse(text).is_err(), "{text}");
        }
    }
}
