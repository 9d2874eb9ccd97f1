//! Random inputs for the subjects: the same for the same number, half of them well formed.
//!
//! The inputs of a subject are its seeds, and then inputs of its own grammar with now and then a slip.

use crate::chance::Chance;
use crate::directives::Run;
use crate::subjects::Subject;

/// The first `count` inputs of a subject.
pub fn inputs(subject: &Subject, count: usize) -> Vec<Run> {
    (0..count).map(|number| input(subject, number)).collect()
}

/// One of them.
pub fn input(subject: &Subject, number: usize) -> Run {
    if let Some(seed) = subject.seeds.get(number) {
        return seed.clone();
    }
    let mut chance = Chance::new(number as u64);
    let (arguments, stdin) = match subject.name.as_str() {
        "altitude_advisory" => altitude_advisory(&mut chance),
        "contingency_table" => contingency_table(&mut chance),
        "line_range_cutter" => line_range_cutter(&mut chance),
        "priority_scheduler" => priority_scheduler(&mut chance),
        "search_replace" => search_replace(&mut chance),
        "tokenizer" => tokenizer(&mut chance),
        other => panic!("no random inputs are known for the subject `{other}`"),
    };
    Run {
        name: format!("random {number}"),
        arguments,
        stdin: stdin.into_bytes(),
        ..Run::default()
    }
}

type Input = (Vec<String>, String);

/// Near each other and near the program's bounds, where decisions are made.
fn altitude_advisory(chance: &mut Chance) -> Input {
    let rate = |chance: &mut Chance| match chance.below(3) {
        0 => chance.pick(&[0, 0, 1500, -1500, -1200, -1201, -1199, -1, 1, 59, 60]),
        1 => chance.between(-1500, 1500),
        _ => chance.between(-6000, 6000),
    };
    let (own_rate, other_rate) = (rate(chance), rate(chance));
    let level = chance.between(1, 4);
    let ahead = [20, 30, 40, 60][level as usize - 1];
    let seconds = match chance.below(4) {
        0 => chance.pick(&[0, 1, 4, 5, 6, 29, 30, 31]),
        1 => chance.pick(&[ahead, ahead + 1, ahead - 1, ahead / 2, ahead / 2 + 1]),
        2 => chance.between(0, 60),
        _ => chance.between(0, 600),
    };
    let ground = chance.pick(&[0, 100, 500, 2000, 29_999]);
    let height = match chance.below(5) {
        0 => chance.between(0, 700),
        1 => chance.between(400, 4000),
        // Just high enough for a descent.
        2 => 1000 + 25 * seconds.min(30) + chance.between(-1, 1),
        // Just high enough for the present one.
        3 => -own_rate * 25 / 60 + chance.between(-1, 1),
        _ => chance.between(0, 30_000),
    };
    let own = (ground + height).max(0);
    let enough = [300, 450, 600, 850][level as usize - 1] + chance.between(-1, 1);
    let apart = match chance.below(5) {
        0 => chance.pick(&[0, 1, -1, enough, -enough]),
        1 => chance.between(-1000, 1000),
        2 => chance.between(-100, 100),
        3 => chance.between(-10_000, 10_000),
        // Just far enough away when they meet, whatever the pilot does by then.
        _ => {
            let flown = chance.pick(&[own_rate, 0, 1500, -1500]);
            flown * seconds / 60 - other_rate * seconds / 60 + chance.pick(&[enough, -enough])
        }
    };
    let range = match chance.below(3) {
        0 => level * chance.pick(&[2, 5]) + chance.between(-1, 1),
        1 => chance.between(0, 20),
        _ => chance.between(0, 1000),
    };
    let numbers = [
        own,
        own_rate,
        (own + apart).max(0),
        other_rate,
        seconds,
        range,
        ground,
        chance.between(0, 1),
        chance.between(0, 4),
        level,
        chance.between(0, 2),
        chance.pick(&[0, 0, 0, 1, 2, 3, 4, 7, 8, 15]),
    ];
    let mut arguments: Vec<String> = numbers.map(|number| number.to_string()).into();
    if chance.one_in(10) {
        let which = chance.below(12) as usize;
        let bounds = [
            "-1", "60001", "6001", "-6001", "601", "1001", "2", "5", "0", "16", "3", "30001",
        ];
        arguments[which] = match chance.below(4) {
            0 => chance.slip(arguments[which].clone()),
            1 => chance
                .pick(&["", "x", "1x", " 7", "+3", "99999999999999999999"])
                .to_owned(),
            _ => chance.pick(&bounds).to_owned(),
        };
    }
    if chance.one_in(50) {
        arguments.pop();
    }
    (arguments, String::new())
}

fn contingency_table(chance: &mut Chance) -> Input {
    let mut text = String::new();
    for _ in 0..chance.between(1, 2) {
        let side = |chance: &mut Chance| match chance.below(3) {
            0 => chance.between(2, 8),
            1 => chance.between(2, 3),
            _ => 2,
        };
        let (rows, columns) = (side(chance), side(chance));
        let highest = chance.pick(&[1, 5, 30, 200, 100_000, 1_000_000]);
        text += &format!("{rows} {columns}\n");
        let empty_row = chance.between(0, 12);
        let empty_column = chance.between(0, 12);
        for row in 0..rows {
            for column in 0..columns {
                let zero = row == empty_row || column == empty_column || chance.one_in(12);
                let count = if zero { 0 } else { chance.between(0, highest) };
                text += &count.to_string();
                text += chance.pick(&[" ", " ", "\t", "  ", "\r\n"]);
            }
            text.push('\n');
        }
    }
    if chance.one_in(12) {
        text += chance.pick(&[
            "1 3 4 5 6",
            "2 1 3 4",
            "9 2",
            "2 2 1 2 3",
            "2 2 1 2 3 1000001",
            "-1",
            "2 2 1 x 3 4",
        ]);
    }
    let arguments = match chance.below(20) {
        0..=8 => vec!["-e".to_owned()],
        9 => vec!["-x".to_owned()],
        _ => Vec::new(),
    };
    (arguments, chance.slip(text))
}

fn list(chance: &mut Chance) -> String {
    let place = |chance: &mut Chance| match chance.below(5) {
        0 => "$".to_owned(),
        1 => format!("${}", chance.between(0, 9)),
        _ => chance.between(1, 9).to_string(),
    };
    let mut ranges = Vec::new();
    for _ in 0..chance.between(1, 3) {
        let mut range = match chance.below(5) {
            0 => place(chance),
            1 => format!("{}-", place(chance)),
            2 => format!("-{}", place(chance)),
            3 => {
                let first = chance.between(1, 6);
                format!("{first}-{}", first + chance.between(0, 6))
            }
            _ => format!("{}-{}", place(chance), place(chance)),
        };
        if chance.one_in(4) {
            range += &format!("~{}", chance.between(1, 4));
        }
        ranges.push(range);
    }
    if chance.one_in(200) {
        let position = chance.pick(&["99999", "100000", "0", "3~0", ""]);
        ranges.push(position.to_owned());
    }
    if chance.one_in(300) {
        ranges.extend((0..chance.between(28, 36)).map(|number| (number + 1).to_string()));
    }
    chance.slip(ranges.join(","))
}

fn line_range_cutter(chance: &mut Chance) -> Input {
    let mut arguments = Vec::new();
    for (option, usual) in [("-l", 3), ("-c", 5), ("-f", 3)] {
        if chance.below(usual + 1) < 2 {
            arguments.extend([option.to_owned(), list(chance)]);
        }
    }
    if chance.one_in(2) {
        let separator = chance.pick(&[",", " ", ":", ",", ",,", ""]);
        arguments.extend(["-d".to_owned(), separator.to_owned()]);
    }
    for option in ["-n", "-s", "-v", "-q", "-l"] {
        let often = if ["-q", "-l"].contains(&option) {
            40
        } else {
            4
        };
        if chance.one_in(often) {
            arguments.push(option.to_owned());
        }
    }
    let mut text = String::new();
    let lines = match chance.one_in(400) {
        true => chance.between(1020, 1030),
        false => chance.between(0, 12),
    };
    for _ in 0..lines {
        text += &chance.text("ab,c:d\t ", 12);
        text.push('\n');
    }
    if chance.one_in(400) {
        text += &"x".repeat(chance.between(16_200, 16_500) as usize);
    }
    if chance.one_in(4) {
        text.pop();
    }
    (arguments, text)
}

fn priority_scheduler(chance: &mut Chance) -> Input {
    let ids = chance.pick(&[3, 6, 20]);
    let mut text = String::new();
    for _ in 0..chance.between(1, 25) {
        let id = chance.between(0, ids);
        let priority = chance.between(0, 3);
        let line = match chance.below(14) {
            0..=4 => format!(
                "add {id} {priority} {}",
                chance.pick(&[1, 2, 3, 5, 9, 40, 999])
            ),
            5..=7 => format!(
                "tick {}",
                chance.pick(&[1, 1, 2, 3, 4, 7, 19, 20, 21, 60, 500])
            ),
            8 => "block".to_owned(),
            9 => format!("wake {id}"),
            10 => format!("renice {id} {priority}"),
            11 => format!("kill {id}"),
            12 => "show".to_owned(),
            _ => chance
                .pick(&[
                    "add 100 0 1",
                    "add 1 4 1",
                    "add 1 0 1000",
                    "add 1 0 0",
                    "tick 0",
                    "tick 501",
                    "jump",
                    "",
                    "# words",
                    "  show  # now",
                    "show now",
                    "add 99 3 999",
                    "add\t1 0 3",
                    "shows",
                    "wake",
                    "tick 2 3",
                    "add 1 0 99999999999",
                    "block#",
                    "renice 1",
                ])
                .to_owned(),
        };
        text += &chance.slip(line);
        text.push('\n');
        if chance.one_in(5) {
            text += "show\n";
        }
    }
    if chance.one_in(30) {
        text += &format!("show{}#\n", " ".repeat(chance.between(74, 80) as usize));
    }
    text += "show\n";
    let arguments = match chance.below(30) {
        0..=7 => vec![chance.pick(&["1", "2", "5", "20", "50"]).to_owned()],
        8 => vec![
            chance
                .pick(&["0", "51", "x", "", "3 ", "-1", "99999999999999999999"])
                .to_owned(),
        ],
        9 => vec!["3".to_owned(), "4".to_owned()],
        _ => Vec::new(),
    };
    (arguments, text)
}

fn search_replace(chance: &mut Chance) -> Input {
    const ITEMS: &[&str] = &[
        "a", "b", "c", "A", ".", "[ab]", "[^ab]", "[a-c]", "[^b-z]", "[]a]", "[a-]", "[\\d_]",
        "\\w", "\\d", "\\s", "\\t", "\\.", "[\\]x]", "1", " ", "_", "[A-Z]", "[\\w]", "\\<a", "z",
        "Z", "[^]]", "[\\ta]",
    ];
    const REPETITIONS: &[&str] = &[
        "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "{0}", "{3,1}", "{99}", "{100}",
    ];
    let mut pattern = String::new();
    let mut groups = 0;
    if chance.one_in(6) {
        pattern.push('^');
    }
    for _ in 0..chance.between(1, 4) {
        let wide = chance.one_in(5);
        let item = chance.pick(ITEMS);
        // The last few are mistakes, and rare.
        let repetitions = if chance.one_in(20) {
            REPETITIONS
        } else {
            &REPETITIONS[..11]
        };
        let item = format!("{item}{}", chance.pick(repetitions));
        if wide {
            groups += 1;
            pattern += &format!("\\({item}\\)");
        } else {
            pattern += &item;
        }
    }
    if chance.one_in(6) {
        pattern.push('$');
    }
    if chance.one_in(60) {
        pattern += chance.pick(&[
            "[b-a]", "\\(", "\\)", "\\", "*", "[ab", "{2", "a{x}", "a{2", "^", "$a", "\\<*", "\\(*",
        ]);
    }
    if chance.one_in(150) {
        pattern = "a".repeat(chance.between(62, 66) as usize);
    }
    if chance.one_in(150) {
        pattern = "\\(a\\)".repeat(chance.between(8, 10) as usize);
    }
    let mut replacement = chance.pieces(
        &["x", "&", "-", "\\t", "\\u", "\\&", "Y", "\\\\", "ab", "a1"],
        3,
    );
    if groups > 0 {
        replacement += &format!("<\\{}>", chance.between(1, groups));
    }
    if chance.one_in(40) {
        replacement += chance.pick(&["\\", "\\0", "\\9", "\\u\\u"]);
    }
    let mut arguments = Vec::new();
    for option in ["-1", "-c", "-i", "-v", "-q", "-iv", "--"] {
        let often = if ["-q", "--"].contains(&option) {
            100
        } else {
            6
        };
        if chance.one_in(often) {
            arguments.push(option.to_owned());
        }
    }
    if !chance.one_in(100) {
        arguments.push(chance.slip(pattern));
    }
    if !chance.one_in(50) {
        arguments.push(replacement);
    }
    let mut text = String::new();
    for _ in 0..chance.between(0, 5) {
        text += &match chance.below(4) {
            0 => chance.text("ab", 8),
            1 => chance.text("abcABC12 _\t.z]-", 14),
            2 => chance.pieces(&["aa", "ab ", "bc", "a.", "Ab", "1", " ", "a_", "{"], 5),
            _ => chance.text("abcdefghijklmnopqrstuvwxyzABCXYZ0189_ \t!~\u{e9}", 20),
        };
        text.push('\n');
    }
    if chance.one_in(200) {
        text += &"ab".repeat(chance.between(250, 260) as usize);
    }
    if chance.one_in(6) {
        text.pop();
    }
    (arguments, text)
}

fn tokenizer(chance: &mut Chance) -> Input {
    const PIECES: &[&str] = &[
        "if",
        "iffy",
        "let",
        "while",
        "x",
        "y2",
        "_z",
        "return",
        "0",
        "12",
        "1_000",
        "0x1F",
        "0b101",
        "0b2",
        "0xg",
        "1__2",
        "12_",
        "3.25",
        "3.",
        "7a",
        "99999999",
        "100000000",
        "99999999999",
        "0xfffffff",
        "1.5_",
        "\"a\"",
        "\"\\n\"",
        "\"\\x4\"",
        "\"\\x4F\"",
        "\"\\q\"",
        "'c'",
        "'\\''",
        "''",
        "'ab'",
        "\"open",
        "'",
        "# note\n",
        "{- c -}",
        "{- a {- b -} -}",
        "{-",
        "-}",
        "<<=",
        ">>=",
        "...",
        "..",
        "==",
        "!=",
        "<=",
        ">=",
        "<<",
        ">>",
        "->",
        ":=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "<",
        ">",
        "=",
        "&",
        "|",
        "^",
        "!",
        "(",
        ")",
        "[",
        "]",
        ",",
        ";",
        ":",
        ".",
        "@",
        "?",
        "$",
        "\u{e9}",
        "\u{1}",
        "Z",
        "A",
        "z",
        "\"\\0\\\\\\t\"",
        "0xABCDEF",
        "0xabc_",
        "0b",
        "0x",
        "and",
        "or",
        "not",
        "do",
        "else",
        "end",
        "fn",
        "{-}",
        "9.9",
        "\"\\",
        "~",
        "\u{7f}",
    ];
    const GAPS: &[&str] = &["", "", " ", " ", "\n", "\t", "\r\n"];
    let mut text = String::new();
    for _ in 0..chance.between(0, 14) {
        text += chance.pick(PIECES);
        text += chance.pick(GAPS);
    }
    if chance.one_in(200) {
        text += &"x ".repeat(chance.between(4080, 4110) as usize);
    }
    let mut arguments = Vec::new();
    for (option, often) in [("-k", 3), ("-c", 5), ("-x", 60)] {
        if chance.one_in(often) {
            arguments.push(option.to_owned());
        }
    }
    (arguments, chance.slip(text))
}
