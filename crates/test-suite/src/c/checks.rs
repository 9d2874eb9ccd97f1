//! What a test asks for, in the words of a framework.

use harness::literal::text;
use harness::{Check, Wanted};

use crate::Framework;

/// Whose words they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Words {
    /// Functions of the file itself: they work in a process of their own, too.
    Own,
    Cmocka,
    Unity,
}

impl Words {
    pub(crate) fn of(framework: Framework) -> Words {
        match framework {
            Framework::Cmocka => Words::Cmocka,
            Framework::Unity => Words::Unity,
            _ => Words::Own,
        }
    }
}

/// The lines that ask for something.
pub(crate) fn lines(words: Words, check: &Check) -> Vec<String> {
    let actual = &check.actual;
    if let Wanted::Elements { element, values } = &check.expected {
        let same = line(
            words,
            [
                "CHECK_BYTES",
                "assert_memory_equal",
                "TEST_ASSERT_EQUAL_MEMORY",
            ],
            &[actual, "expected", "sizeof expected"],
        );
        return vec![
            "{".to_owned(),
            format!(
                "    const {element} expected[] = {{{}}};",
                values.join(", ")
            ),
            format!("    {same}"),
            "}".to_owned(),
        ];
    }
    vec![match &check.expected {
        Wanted::Signed(expected) => line(
            words,
            ["CHECK_INT", "assert_int_equal", "TEST_ASSERT_EQUAL_INT"],
            &[actual, expected],
        ),
        Wanted::Unsigned(expected) => line(
            words,
            ["CHECK_UINT", "assert_int_equal", "TEST_ASSERT_EQUAL_UINT"],
            &[actual, expected],
        ),
        Wanted::Real(expected) => truth(words, &format!("is_same_number({actual}, {expected})")),
        Wanted::NotANumber => truth(words, &format!("isnan({actual})")),
        Wanted::Text(bytes) => line(
            words,
            [
                "CHECK_TEXT",
                "assert_string_equal",
                "TEST_ASSERT_EQUAL_STRING",
            ],
            &[actual, &text(bytes)],
        ),
        Wanted::Bytes(bytes) => line(
            words,
            [
                "CHECK_BYTES",
                "assert_memory_equal",
                "TEST_ASSERT_EQUAL_MEMORY",
            ],
            &[actual, &text(bytes), &bytes.len().to_string()],
        ),
        Wanted::Null => match words {
            Words::Own => format!("CHECK(!{});", bracketed(actual)),
            Words::Cmocka => format!("assert_null({actual});"),
            Words::Unity => format!("TEST_ASSERT_NULL({actual});"),
        },
        Wanted::Address(expected) => match words {
            Words::Own => {
                format!("CHECK((const void *){} == {expected});", bracketed(actual))
            }
            Words::Cmocka => format!("assert_ptr_equal({actual}, {expected});"),
            Words::Unity => format!("TEST_ASSERT_EQUAL_PTR({expected}, {actual});"),
        },
        Wanted::Elements { .. } => unreachable!("is told above"),
    }]
}

fn bracketed(expression: &str) -> String {
    match expression.starts_with(['*', '&']) {
        true => format!("({expression})"),
        false => expression.to_owned(),
    }
}

pub(crate) fn truth(words: Words, condition: &str) -> String {
    match words {
        Words::Own => format!("CHECK({condition});"),
        Words::Cmocka => format!("assert_true({condition});"),
        Words::Unity => format!("TEST_ASSERT_TRUE({condition});"),
    }
}

/// Unity has what is expected first.
fn line(words: Words, names: [&str; 3], arguments: &[&str]) -> String {
    let mut arguments = arguments.to_vec();
    let name = match words {
        Words::Own => names[0],
        Words::Cmocka => names[1],
        Words::Unity => {
            arguments.swap(0, 1);
            names[2]
        }
    };
    format!("{name}({});", arguments.join(", "))
}
