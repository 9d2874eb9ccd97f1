//! Trace alignment on made-up traces: golden small ones, the promised properties on random ones, and a long one.

use inputs::SplitMix;
use relational::propagate::align::{Aligned, LEFT_OUT, NONE, Sequence, align};

/// Statements of a made-up program.
#[derive(Clone)]
enum Code {
    Plain(u32),
    /// Branch, what it decides.
    If(u32, Vec<Code>),
    /// Its branch, how often it goes on, and the body.
    Loop(u32, u32, Vec<Code>),
    Call(u32, Vec<Code>),
}

use Code::{Call, If, Loop, Plain};

/// The trace of a program: a loop's next iteration lies under the branch of the one before.
fn trace(code: &[Code]) -> Sequence {
    fn run(code: &[Code], under: u32, sequence: &mut Sequence) {
        let put = |statement: u32, under: u32, sequence: &mut Sequence| {
            sequence.statements.push(statement);
            sequence.parents.push(under);
            sequence.statements.len() as u32 - 1
        };
        for code in code {
            match code {
                Plain(statement) => {
                    put(*statement, under, sequence);
                }
                If(statement, body) | Call(statement, body) => {
                    let here = put(*statement, under, sequence);
                    run(body, here, sequence);
                }
                Loop(statement, count, body) => {
                    let mut here = put(*statement, under, sequence);
                    for _ in 0..*count {
                        run(body, here, sequence);
                        here = put(*statement, here, sequence);
                    }
                }
            }
        }
    }
    let mut sequence = Sequence {
        statements: vec![NONE],
        parents: vec![0],
    };
    run(code, 0, &mut sequence);
    sequence
}

/// Pairs as (old, new), without the one of the numbers 0.
fn pairs(aligned: &Aligned) -> Vec<(u32, u32)> {
    let all = aligned.old_of_new.iter().copied().zip(0..).skip(1);
    all.filter(|&(old, _)| old != NONE).collect()
}

#[test]
fn an_inserted_statement_shifts_nothing() {
    let old = trace(&[Plain(1), Loop(2, 2, vec![Plain(3), Plain(4)]), Plain(5)]);
    let new = trace(&[
        Plain(1),
        Loop(2, 2, vec![Plain(3), Plain(NONE), Plain(4)]),
        Plain(5),
    ]);
    // Old: 1 2 3 4 2 3 4 2 5; new: 1 2 3 + 4 2 3 + 4 2 5.
    let expected = [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 5),
        (5, 6),
        (6, 7),
        (7, 9),
        (8, 10),
        (9, 11),
    ];
    assert_eq!(pairs(&align(&old, &new)), expected);
}

#[test]
fn one_more_iteration_is_the_last_one() {
    let old = trace(&[Loop(1, 2, vec![Plain(2)]), Plain(3)]);
    let new = trace(&[Loop(1, 3, vec![Plain(2)]), Plain(3)]);
    // Old: 1 2 1 2 1 3; new: 1 2 1 2 1 2 1 3.
    let expected = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 8)];
    assert_eq!(pairs(&align(&old, &new)), expected);
}

#[test]
fn iterations_and_calls_are_not_mixed() {
    // The second iteration of the old loop and the first of the new one take the branch: by edit distance they would pair.
    let body = |taken: bool| match taken {
        true => vec![If(2, vec![Plain(3), Plain(4)]), Plain(5)],
        false => vec![If(2, vec![]), Plain(5)],
    };
    let chain = |first: bool, second: bool| {
        let mut sequence = trace(&[]);
        let mut above = 0;
        for taken in [first, second] {
            sequence.statements.push(1);
            sequence.parents.push(above);
            above = sequence.statements.len() as u32 - 1;
            let part = trace(&body(taken));
            let shift = sequence.statements.len() as u32 - 1;
            for (&statement, &parent) in part.statements.iter().zip(&part.parents).skip(1) {
                sequence.statements.push(statement);
                sequence
                    .parents
                    .push(if parent == 0 { above } else { parent + shift });
            }
        }
        sequence
    };
    let (old, new) = (chain(false, true), chain(true, false));
    // Old: 1 2 5 1 2 3 4 5; new: 1 2 3 4 5 1 2 5.
    assert_eq!(
        pairs(&align(&old, &new)),
        [(1, 1), (2, 2), (3, 5), (4, 6), (5, 7), (8, 8)]
    );
    let old = trace(&[Call(1, vec![Plain(2)]), Call(1, vec![Plain(2), Plain(3)])]);
    let new = trace(&[Call(1, vec![Plain(2), Plain(3)]), Call(1, vec![Plain(2)])]);
    assert_eq!(pairs(&align(&old, &new)), [(1, 1), (2, 2), (3, 4), (4, 5)]);
}

#[test]
fn a_new_guard_is_transparent() {
    let old = trace(&[Plain(1), Plain(2), Plain(3)]);
    let new = trace(&[Plain(1), If(NONE, vec![Plain(2)]), Plain(3)]);
    assert_eq!(pairs(&align(&old, &new)), [(1, 1), (2, 3), (3, 4)]);
    assert_eq!(pairs(&align(&new, &old)), [(1, 1), (3, 2), (4, 3)]);
}

#[test]
fn what_is_left_out_has_no_partner() {
    let old = trace(&[Plain(1), Plain(LEFT_OUT), Plain(2)]);
    assert_eq!(pairs(&align(&old, &old)), [(1, 1), (3, 3)]);
}

fn random_code(chance: &mut SplitMix, depth: u32, next: &mut u32) -> Vec<Code> {
    let count = 1 + chance.below(5);
    (0..count)
        .map(|_| {
            *next += 1;
            let own = *next;
            match chance.below(if depth == 0 { 1 } else { 5 }) {
                0 | 1 => Plain(own),
                2 => If(own, random_code(chance, depth - 1, next)),
                3 => {
                    let times = chance.below(4) as u32;
                    Loop(own, times, random_code(chance, depth - 1, next))
                }
                _ => Call(own, random_code(chance, depth - 1, next)),
            }
        })
        .collect()
}

/// The same program with statements inserted and removed, and loops that go on for longer.
fn edited(chance: &mut SplitMix, code: &[Code]) -> Vec<Code> {
    let mut result = Vec::new();
    for code in code {
        match chance.below(12) {
            0 => result.push(Plain(NONE)),
            1 => continue,
            _ => {}
        }
        let edited = match code {
            Plain(statement) => Plain(*statement),
            If(statement, body) => If(*statement, edited(chance, body)),
            Loop(statement, count, body) => Loop(
                *statement,
                count + chance.below(2) as u32,
                edited(chance, body),
            ),
            Call(statement, body) => Call(*statement, edited(chance, body)),
        };
        match chance.below(12) {
            0 => result.push(If(NONE, vec![edited])),
            _ => result.push(edited),
        }
    }
    result
}

/// What an instance lies under, statements without partner left out.
fn above(sequence: &Sequence, mut instance: u32) -> u32 {
    loop {
        instance = sequence.parents[instance as usize];
        if instance == 0 || sequence.statements[instance as usize] < LEFT_OUT {
            return instance;
        }
    }
}

#[test]
fn random_traces_keep_the_promises() {
    let mut chance = SplitMix(5);
    let mut paired = 0;
    for _ in 0..3000 {
        let code = random_code(&mut chance, 3, &mut 0);
        let (old, new) = (trace(&code), trace(&edited(&mut chance, &code)));
        let itself = align(&old, &old);
        let all: Vec<u32> = (0..old.statements.len() as u32).collect();
        assert_eq!(itself.old_of_new, all);
        let aligned = align(&old, &new);
        assert_eq!(align(&new, &old), aligned.reversed());
        let found = pairs(&aligned);
        paired += found.len();
        let mut last: std::collections::HashMap<u32, u32> = std::collections::HashMap::new();
        for &(in_old, in_new) in &found {
            assert_eq!(
                old.statements[in_old as usize],
                new.statements[in_new as usize]
            );
            assert_eq!(aligned.new_of_old[in_old as usize], in_new);
            let (over_old, over_new) = (above(&old, in_old), above(&new, in_new));
            assert_eq!(aligned.old_of_new[over_new as usize], over_old);
            // In order under one pair: pairs come by ascending new numbers.
            let before = last.insert(over_new, in_old);
            assert!(before.is_none_or(|before| before < in_old));
        }
    }
    assert!(paired > 20_000, "{paired}");
}

/// Insertions and iterations alone take no partner away.
#[test]
fn insertions_keep_everything_else() {
    fn insert(chance: &mut SplitMix, code: &[Code]) -> Vec<Code> {
        let mut result = Vec::new();
        for code in code {
            if chance.below(4) == 0 {
                result.push(Plain(NONE));
            }
            result.push(match code {
                Plain(statement) => Plain(*statement),
                If(statement, body) => If(*statement, insert(chance, body)),
                Loop(statement, count, body) => Loop(*statement, *count, insert(chance, body)),
                Call(statement, body) => Call(*statement, insert(chance, body)),
            });
        }
        result
    }
    let mut chance = SplitMix(6);
    for _ in 0..1000 {
        let code = random_code(&mut chance, 3, &mut 0);
        let (old, new) = (trace(&code), trace(&insert(&mut chance, &code)));
        let aligned = align(&old, &new);
        assert!(aligned.new_of_old.iter().all(|&partner| partner != NONE));
        let known = new
            .statements
            .iter()
            .skip(1)
            .filter(|&&statement| statement != NONE);
        assert_eq!(pairs(&aligned).len(), known.count());
    }
}

#[test]
fn long_traces_are_aligned() {
    let body = || {
        vec![
            Plain(2),
            If(3, vec![Plain(4), Plain(5)]),
            Call(6, vec![Plain(7), Plain(8)]),
        ]
    };
    let mut changed = body();
    changed.insert(1, Plain(NONE));
    let old = trace(&[Plain(1), Loop(9, 200_000, body()), Plain(10)]);
    let new = trace(&[Plain(1), Loop(9, 200_001, changed), Plain(10)]);
    assert!(old.statements.len() > 1_500_000);
    let aligned = align(&old, &new);
    assert!(aligned.new_of_old.iter().all(|&partner| partner != NONE));
    // Without structure, and with nothing in common but the ends.
    let flat = |statement: fn(u32) -> u32| Sequence {
        statements: std::iter::once(NONE)
            .chain((0..1_000_000).map(statement))
            .collect(),
        parents: vec![0; 1_000_001],
    };
    let (old, new) = (
        flat(|index| index * 2),
        flat(|index| if index < 10 { index * 2 } else { index * 2 + 1 }),
    );
    let aligned = align(&old, &new);
    assert_eq!(pairs(&aligned).len(), 10);
}
