//! The file around the tests of a function: how to build and run it, the version's source, and the framework's `main`.

use std::path::{Path, PathBuf};

use harness::TestSources;

use super::body::functions;
use super::case::FunctionCase;
use super::checks::Words;
use super::helpers::{headers, used};
use crate::Framework;

/// What the file is about.
pub struct About<'a> {
    pub function: &'a str,
    /// Of the old version and of the new one.
    pub sources: &'a [TestSources; 2],
    /// Where the file lies, as a user would write it.
    pub file: &'a Path,
}

/// What our part of the file says.
pub fn text(framework: Framework, about: &About<'_>, cases: &[FunctionCase]) -> String {
    let words = Words::of(framework);
    let tests: Vec<String> = cases
        .iter()
        .map(|case| match framework {
            Framework::Cmocka => functions(
                case,
                words,
                &format!("static void {}(void **state)", case.name),
                &["(void)state;"],
            ),
            Framework::Googletest => {
                functions(case, words, &format!("void {}(void)", case.name), &[])
            }
            _ => functions(
                case,
                words,
                &format!("static void {}(void)", case.name),
                &[],
            ),
        })
        .collect();
    let tests = tests.join("\n");
    let main = main(framework, about.function, cases);
    let helpers = match framework {
        Framework::C => used(&format!("{tests}{main}failed(")),
        _ => used(&tests),
    };
    let helpers = match framework {
        Framework::Googletest => helpers.replace(TELLS, TELLS_GOOGLETEST).replacen(
            "static int failures;",
            DECLARES_GOOGLETEST,
            1,
        ),
        _ => helpers,
    };
    let code = format!("{helpers}{tests}");
    let headers = headers(&format!("{code}{main}"));
    let framework_headers = match framework {
        Framework::Cmocka => {
            "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <cmocka.h>\n"
        }
        Framework::Unity => "#include \"unity.h\"\n",
        _ => "",
    };
    let source = "/* The version, with a `main` of its own under another name. */\n#ifndef main\n#define main program_main\n#endif\n\
                  #include SOURCE\n#undef main\n";
    let head = head(framework, about);
    match framework {
        Framework::Googletest => format!(
            "{head}#ifndef __cplusplus\n\n{source}\n{headers}\n{code}\n#else\n\n{main}\n#endif\n"
        ),
        _ => format!("{head}{source}\n{headers}{framework_headers}\n{code}\n{main}"),
    }
}

/// GoogleTest is told of a failure where it has happened.
const TELLS: &str = r#"    fprintf(complaints ? complaints : stderr, "%s:%d: %s\n", __FILE__, line, what);
"#;
const DECLARES_GOOGLETEST: &str =
    "void tell_failure(const char *file, int line, const char *what);\n\nstatic int failures;";
const TELLS_GOOGLETEST: &str = r#"    if (complaints) fprintf(complaints, "%s:%d: %s\n", __FILE__, line, what);
    else tell_failure(__FILE__, line, what);
"#;

/// How one builds and runs the file with a version.
pub fn command(framework: Framework, about: &About<'_>, version: usize) -> String {
    let sources = &about.sources[version];
    let source = shown(&sources.included);
    let file = about.file.display();
    let stem = about.file.file_stem().unwrap_or_default().to_string_lossy();
    let mut arguments = String::from("-iquote .");
    for argument in &sources.compiler_arguments {
        arguments += &format!(" {}", argument.to_string_lossy());
    }
    let others = match sources.others.is_empty() {
        true => String::new(),
        false => {
            let others: Vec<String> = sources.others.iter().map(|other| shown(other)).collect();
            // Only one of the files may have a `main`.
            arguments += " -Dmain=program_main";
            format!(" {}", others.join(" "))
        }
    };
    let others = match (framework, &others[..]) {
        (Framework::Googletest, "") => " -x none".to_owned(),
        (Framework::Googletest, others) => format!(" -x c{others} -x none"),
        _ => others,
    };
    let source = format!("-DSOURCE='\"{source}\"'");
    match framework {
        Framework::Googletest => format!(
            "cc {arguments} {source} -x c -c {file} -o {stem}.o && c++ {stem}.o -x c++ {file}{others} -lgtest -lgtest_main \
             -lm -o {stem} && ./{stem}"
        ),
        Framework::Cmocka => {
            format!("cc {arguments} {source} {file}{others} -lcmocka -lm -o {stem} && ./{stem}")
        }
        Framework::Unity => format!(
            "cc {arguments} -I\"$UNITY\" {source} {file}{others} \"$UNITY/unity.c\" -lm -o {stem} && ./{stem}"
        ),
        _ => format!("cc {arguments} {source} {file}{others} -lm -o {stem} && ./{stem}"),
    }
}

/// A file as one writes it from here.
pub(crate) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = match path.strip_prefix(&here) {
        Ok(inside) => inside.to_owned(),
        Err(_) if path.is_relative() => path.to_owned(),
        Err(_) => PathBuf::from("path/to").join(path.file_name().unwrap_or_default()),
    };
    path.display().to_string()
}

fn head(framework: Framework, about: &About<'_>) -> String {
    let [old, new] = [0, 1].map(|version| plain_line(&command(framework, about, version)));
    let unity = match framework {
        Framework::Unity => " UNITY is the folder with Unity's unity.c.",
        _ => "",
    };
    format!(
        "/* Tests of {}. SOURCE is the file of the version that is tested.{unity} The old version:\n *   {old}\n * and the new one:\n *   \
         {new}\n */\n",
        about.function
    )
}

/// A command in a comment: nothing in it ends that.
fn plain_line(command: &str) -> String {
    command.replace("*/", "* /").replace('\n', " ")
}

fn main(framework: Framework, function: &str, cases: &[FunctionCase]) -> String {
    let names = cases.iter().map(|case| case.name.as_str());
    let each = |line: &dyn Fn(&str) -> String| -> String { names.clone().map(line).collect() };
    match framework {
        Framework::Cmocka => {
            let tests = each(&|name| format!("        cmocka_unit_test({name}),\n"));
            format!(
                "/* Runs all tests, or those that an argument names. */\nint main(int argc, char **argv)\n{{\n    const struct CMUnitTest \
                 tests[] = {{\n{tests}    }};\n    if (argc > 1) cmocka_set_test_filter(argv[1]);\n    return \
                 cmocka_run_group_tests(tests, NULL, NULL);\n}}\n"
            )
        }
        Framework::Unity => {
            let tests = each(&|name| {
                format!("    if (argc < 2 || strcmp(argv[1], \"{name}\") == 0) RUN_TEST({name});\n")
            });
            format!(
                "void setUp(void)\n{{\n}}\n\nvoid tearDown(void)\n{{\n}}\n\n/* Runs all tests, or the one that an argument names. */\n\
                 int main(int argc, char **argv)\n{{\n    UNITY_BEGIN();\n{tests}    return UNITY_END();\n}}\n"
            )
        }
        Framework::Googletest => {
            let declared = each(&|name| format!("extern \"C\" void {name}(void);\n"));
            let tests =
                each(&|name| format!("\nTEST({function}, {name})\n{{\n    {name}();\n}}\n"));
            format!(
                "#include <gtest/gtest.h>\n\n{declared}\nextern \"C\" void tell_failure(const char *file, int line, const char \
                 *what)\n{{\n    ADD_FAILURE_AT(file, line) << what;\n}}\n{tests}"
            )
        }
        _ => {
            let tests = each(&|name| format!("        {{\"{name}\", {name}}},\n"));
            format!(
                r#"/* Runs all tests, or the one that an argument names. */
int main(int argc, char **argv)
{{
    const struct {{
        const char *name;
        void (*run)(void);
    }} tests[] = {{
{tests}    }};
    int failed_tests = 0;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {{
        if (argc > 1 && strcmp(argv[1], tests[i].name) != 0) continue;
        failures = 0;
        tests[i].run();
        printf("%s - %s\n", failures ? "not ok" : "ok", tests[i].name);
        failed_tests += failures != 0;
    }}
    return failed_tests != 0;
}}
"#
            )
        }
    }
}
