//! The tests of a file in CTest, one for each: a part of a `CMakeLists.txt` beside it.

use super::case::FunctionCase;
use super::file::{About, shown};

/// What stands at the beginning of a new file.
pub const HEAD: &str = "# Configure with -DSOURCE=/path/to/the/version.c, or with the name of a variable below for one of several.\n\
                        cmake_minimum_required(VERSION 3.13)\nproject(tests C)\nenable_testing()\n";

/// What our part says of one file of tests.
pub fn text(about: &About<'_>, cases: &[FunctionCase]) -> String {
    let name = about.file.file_name().unwrap_or_default().to_string_lossy();
    let target = about.file.file_stem().unwrap_or_default().to_string_lossy();
    let others = about.sources.iter().map(|sources| {
        let others: Vec<String> = sources.others.iter().map(|other| shown(other)).collect();
        others.join(" ")
    });
    let others: Vec<String> = others.filter(|others| !others.is_empty()).collect();
    let note = match &others[..] {
        [] => String::new(),
        [old, ..] => format!(
            "# {target}_OTHERS are the version's other files, as {}.\n",
            old.replace('\n', " ")
        ),
    };
    let tests: String = cases
        .iter()
        .map(|case| {
            let case = &case.name;
            format!(
                "add_test(NAME {case} COMMAND {target} {case})\nset_tests_properties({case} PROPERTIES TIMEOUT 20)\n"
            )
        })
        .collect();
    format!(
        "{note}set({target}_SOURCE \"${{SOURCE}}\" CACHE FILEPATH \"the version's file that {name} includes\")\n\
         add_executable({target} {name} ${{{target}_OTHERS}})\n\
         target_compile_definitions({target} PRIVATE SOURCE=\"${{{target}_SOURCE}}\")\n\
         if({target}_OTHERS)\n    target_compile_definitions({target} PRIVATE main=program_main)\nendif()\n\
         target_link_libraries({target} m)\n{tests}"
    )
}
