//! The complexity of 206 consecutive changes of GRUB is what `docs/complexity-history.md` says:
//! `make test-real`. `BLESS=1` rewrites the table there.

use std::path::Path;
use std::process::Command;

use program_tests::vm;

/// The table's column that says how long it took.
const TIME_COLUMN: usize = 7;

#[test]
fn the_table_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(root.join("scripts/complexity-history.sh"))
        .args(["--format", "markdown"])
        .env("PARALLAX", vm::locate().expect("parallax is built"))
        .output()
        .expect("the script starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let (table, summary) = said.split_once("\n\n").expect("a summary after the table");
    println!("{summary}");
    let rows = table.lines().count() - 2;
    assert!(rows >= 200, "{rows} commits are not a history");

    let page = root.join("docs/complexity-history.md");
    let text = std::fs::read_to_string(&page).expect("the page is there");
    let start = text.find("| commit |").expect("the page has the table");
    let end = start
        + text[start..]
            .find("\n\n")
            .unwrap_or(text[start..].trim_end().len());
    if std::env::var_os("BLESS").is_some() {
        let new = format!("{}{table}{}", &text[..start], &text[end..]);
        std::fs::write(&page, new).expect("the page is writable");
        return;
    }
    let found: Vec<String> = table.lines().map(without_time).collect();
    let written: Vec<String> = text[start..end].lines().map(without_time).collect();
    for (written, found) in written.iter().zip(&found) {
        assert_eq!(written, found, "the page is no longer true");
    }
    assert_eq!(written.len(), found.len(), "the page lacks rows");
}

fn without_time(row: &str) -> String {
    let mut cells: Vec<&str> = row.split('|').collect();
    if cells.len() > TIME_COLUMN {
        cells.remove(TIME_COLUMN);
    }
    cells.join("|")
}
