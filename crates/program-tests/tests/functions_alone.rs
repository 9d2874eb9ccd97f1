//! Random pairs of functions: those that are proved to do the same by themselves do so natively, on every argument and global
//! out of a set with the extremes.
//!
//! The functions read and write globals of several widths, an array, and call one another. Half of the edits keep their meaning: of these
//! most must be proved, or the proofs would be worth nothing.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

use exploration::{Subject, Version, alone};
use program_tests::chance::Chance;
use program_tests::generated::compile;

const MODULES: u64 = 12;
const FUNCTIONS: usize = 50;

#[derive(Clone)]
enum Term {
    Leaf(String),
    Binary(&'static str, Box<Term>, Box<Term>),
    /// `table[x & 3]`, or a division that cannot fail, or a call of the function before.
    Wrapped(&'static str, Box<Term>, &'static str),
    Choice(Box<Term>, Box<Term>, Box<Term>),
}
use Term::{Binary, Choice, Leaf, Wrapped};

#[derive(Clone)]
enum Step {
    Set(String, Term),
    If(Term, Vec<Step>, Vec<Step>),
    Return(Term),
}

const PLACES: [&str; 6] = ["a", "b", "local", "g0", "g1", "g2"];
const OPERATORS: [&str; 12] = [
    "+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=",
];

fn leaf(chance: &mut Chance) -> Term {
    let constants = ["0", "1", "2", "3", "7", "100", "-1", "-128", "2147483647"];
    Leaf(match chance.one_in(3) {
        true => chance.pick(&constants).to_owned(),
        false => chance.pick(&PLACES).to_owned(),
    })
}

fn term(chance: &mut Chance, depth: u64) -> Term {
    if depth == 0 {
        return leaf(chance);
    }
    let mut below = || Box::new(term(chance, depth - 1));
    let (x, y, z) = (below(), below(), below());
    match chance.below(10) {
        0 => Wrapped("table[(", x, ") & 3]"),
        1 => Wrapped("((", x, ") / 3)"),
        2 => Wrapped("(100 % (((", x, ") & 7) + 1))"),
        3 => Wrapped("helper(", x, ", b)"),
        4 => Wrapped("((signed char)(", x, "))"),
        5 => Choice(x, y, z),
        _ => Binary(chance.pick(&OPERATORS), x, y),
    }
}

fn steps(chance: &mut Chance, depth: u64) -> Vec<Step> {
    let step = |chance: &mut Chance| match chance.below(6) {
        0 if depth > 0 => Step::If(
            term(chance, 1),
            steps(chance, depth - 1),
            steps(chance, depth - 1),
        ),
        1 if depth < 2 => Step::Return(term(chance, 2)),
        _ => Step::Set(chance.pick(&PLACES).to_owned(), term(chance, 2)),
    };
    (0..chance.between(1, 3)).map(|_| step(chance)).collect()
}

fn text_of(term: &Term) -> String {
    match term {
        Leaf(text) => text.clone(),
        // Products and sums wrap, as the VM has it.
        Binary(sign, x, y) => format!("({} {sign} {})", text_of(x), text_of(y)),
        Wrapped(before, x, after) => format!("{before}{}{after}", text_of(x)),
        Choice(x, y, z) => format!("({} ? {} : {})", text_of(x), text_of(y), text_of(z)),
    }
}

fn print(steps: &[Step], out: &mut String) {
    for step in steps {
        match step {
            Step::Set(place, term) => writeln!(out, "    {place} = {};", text_of(term)).unwrap(),
            Step::Return(term) => writeln!(out, "    return {};", text_of(term)).unwrap(),
            Step::If(condition, then, otherwise) => {
                writeln!(out, "    if ({}) {{", text_of(condition)).unwrap();
                print(then, out);
                out.push_str("    } else {\n");
                print(otherwise, out);
                out.push_str("    }\n");
            }
        }
    }
}

/// Writes a term in another way, or with another meaning.
fn edit_term(chance: &mut Chance, term: &mut Term, keeps: bool) {
    let old = term.clone();
    *term = match old {
        Binary(sign, x, y) if keeps => match sign {
            "+" | "*" | "&" | "|" | "^" | "==" | "!=" => Binary(sign, y, x),
            "<" => Binary(">", y, x),
            ">" => Binary("<", y, x),
            "<=" => Binary(">=", y, x),
            ">=" => Binary("<=", y, x),
            _ => Wrapped("(0 + ", Box::new(Binary(sign, x, y)), ")"),
        },
        Binary(_, x, y) => Binary(chance.pick(&OPERATORS), x, y),
        Choice(x, y, z) if keeps => Choice(Box::new(Wrapped("!(", x, ")")), z, y),
        Choice(x, y, z) => Choice(x, z, y),
        other if keeps => Wrapped("(0 ^ ", Box::new(other), ")"),
        _ => leaf(chance),
    };
}

fn edit(chance: &mut Chance, steps: &mut [Step], keeps: bool) {
    let number = chance.below(steps.len() as u64) as usize;
    match &mut steps[number] {
        Step::If(_, then, _) if chance.one_in(2) => edit(chance, then, keeps),
        Step::If(condition, then, otherwise) if keeps => {
            let turned = Wrapped("!(", Box::new(condition.clone()), ")");
            *condition = turned;
            std::mem::swap(then, otherwise);
        }
        Step::If(condition, ..) => edit_term(chance, condition, false),
        Step::Set(_, term) | Step::Return(term) => edit_term(chance, term, keeps),
    }
}

/// Prints what each function does with all arguments and globals of the set.
const HARNESS: &str = "
#ifdef NATIVE
int printf(const char *, ...);
int main(void) {
    static const int some[] = {0, 1, -1, 2, 3, 5, 7, 8, 100, -128, 127, 255, 32767, 2147483647, -2147483647 - 1};
    enum { COUNT = sizeof some / sizeof *some };
    for (int number = 0; number < sizeof functions / sizeof *functions; number++) {
        unsigned long all = 0;
        for (int i = 0; i < COUNT; i++) for (int j = 0; j < COUNT; j++) for (int k = 0; k < COUNT; k++) {
            g0 = some[k]; g1 = some[(k + j) % COUNT]; g2 = some[(k + 2 * i) % COUNT];
            for (int e = 0; e < 4; e++) table[e] = some[(k + e) % COUNT];
            all = all * 31 + functions[number](some[i], some[j]);
            all = all * 31 + g0; all = all * 31 + g1; all = all * 31 + g2;
            for (int e = 0; e < 4; e++) all = all * 31 + table[e];
        }
        printf(\"f%d %lu\\n\", number, all);
    }
    return 0;
}
#endif
";

fn source(functions: &[Vec<Step>]) -> String {
    let mut text = String::from(
        "int g0; short g1; unsigned char g2; int table[4];\n\
         static int helper(int a, short b) { return a > b ? a - b : a ^ 5; }\n",
    );
    let mut names = String::new();
    for (number, steps) in functions.iter().enumerate() {
        write!(
            text,
            "int f{number}(int a, short b) {{\n    int local = a & b;\n"
        )
        .unwrap();
        print(steps, &mut text);
        text.push_str("    return local;\n}\n");
        write!(names, "f{number}, ").unwrap();
    }
    // Only the harness takes their addresses.
    write!(
        text,
        "#ifdef NATIVE\nint (*const functions[])(int, short) = {{{names}}};\n#endif\n{HARNESS}"
    )
    .unwrap();
    text
}

fn natively(source: &str) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("all.c"), folder.path().join("all"));
    std::fs::write(&file, source).unwrap();
    let built = Command::new("clang-22")
        .args(["-DNATIVE", "-O1", "-fwrapv", "-w"])
        .arg(&file)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let said = Command::new(&program).output().unwrap();
    let lines = String::from_utf8(said.stdout).unwrap();
    let pair = |line: &str| {
        let (name, sum) = line.split_once(' ').unwrap();
        (name.to_owned(), sum.to_owned())
    };
    lines.lines().map(pair).collect()
}

#[test]
fn what_is_proved_of_functions_holds() {
    let (mut proved, mut kept, mut different) = (0, 0, 0);
    for seed in 0..MODULES {
        let mut chance = Chance::new(seed);
        let mut old = Vec::new();
        let mut new = Vec::new();
        let mut keeping = Vec::new();
        for _ in 0..FUNCTIONS {
            let steps = steps(&mut chance, 2);
            let mut edited = steps.clone();
            let keeps = chance.one_in(2);
            for _ in 0..chance.between(1, 2) {
                edit(&mut chance, &mut edited, keeps);
            }
            old.push(steps);
            new.push(edited);
            keeping.push(keeps);
        }
        let (old, new) = (source(&old), source(&new));
        let sums = [natively(&old), natively(&new)];
        let programs = [compile(&old).unwrap(), compile(&new).unwrap()];
        let [before, after] = programs.each_ref().map(|program| Version {
            program,
            subject: Subject::Whole,
        });
        let mut solver = solver::chain(&solver::Config::default());
        let judged = alone::each_by_itself(&before, &after, &mut *solver);
        for (name, is_same) in judged {
            let number: usize = name[1..].parse().unwrap();
            let does_same = sums[0][&name] == sums[1][&name];
            assert!(
                does_same || !is_same,
                "seed {seed}: {name} is proved and differs:\n{old}\n{new}"
            );
            proved += usize::from(is_same);
            kept += usize::from(keeping[number]);
            different += usize::from(!does_same);
        }
    }
    println!(
        "{proved} proved of {kept} rewritten with the same meaning; {different} are different"
    );
    assert!(different > 100 && kept > 100, "{different} {kept}");
    assert!(proved * 4 > kept * 3, "{proved} of {kept}");
}
