//! Tests for a POSIX shell; they print TAP.

use crate::case::Case;
use crate::shell::{HELPERS, body};

const HEAD: &str = r#"# Run with: PROGRAM=path/to/program sh FILE
# Each test runs the program in a folder of its own, with all of your rights.
LC_ALL=C
export LC_ALL
umask 022
: "${PROGRAM:?is not set: the program that is tested}"
case $PROGRAM in
/*) program=$PROGRAM ;;
*) program=$PWD/$PROGRAM ;;
esac
limit=
if command -v timeout >/dev/null; then limit='timeout 10'; fi
tests=${tests-}

"#;

const TAIL: &str = r#"
place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT
count=0
failed=0
for test in $tests; do
    count=$((count + 1))
    scratch=$place/$count
    mkdir -p "$scratch/folder" || exit 2
    if (cd "$scratch/folder" && "test_$test"); then
        echo "ok $count - $test"
    else
        echo "not ok $count - $test"
        failed=1
    fi
done
echo "1..$count"
exit "$failed"
"#;

pub(crate) fn text(cases: &[Case]) -> String {
    let mut text = format!("{HEAD}{HELPERS}");
    for case in cases {
        text.push('\n');
        text.extend(case.comment.iter().map(|line| format!("# {line}\n")));
        text += &format!("tests=\"$tests {}\"\ntest_{}() {{\n", case.name, case.name);
        text.extend(
            body(case, "run")
                .iter()
                .map(|line| format!("    {line} || return 1\n")),
        );
        text += "}\n";
    }
    text + TAIL
}
