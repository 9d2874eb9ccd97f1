//! `parallax check --format sarif|junit|markdown`, end to end.

use crate::support::Bench;
use serde_json::Value;

const OLD: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'x') puts("x");
    return 0;
}
"#;

#[test]
fn other_tools_read_a_check() {
    let bench = Bench::new();
    bench.write("old.c", OLD);
    bench.write("new.c", &OLD.replace("puts(\"x\")", "puts(\"y\")"));
    let check = |format: &str| {
        let arguments = [
            "check",
            "old.c",
            "new.c",
            "--sym-args",
            "1",
            "1",
            "1",
            "--format",
            format,
        ];
        let said = bench.parallax(&arguments);
        assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
        said.stdout
    };
    let sarif: Value = serde_json::from_str(&check("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "parallax/standard-output");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "new.c");
    assert_eq!(place["region"]["startLine"], 4);
    assert!(check("junit").contains("<failure message=\"standard output differs on "));
    let markdown = check("markdown");
    assert!(
        markdown.starts_with("## Parallax: different: 1 kind of difference\n"),
        "{markdown}"
    );
    assert!(markdown.contains("```diff\n- x\n+ y\n```\n"), "{markdown}");
}
