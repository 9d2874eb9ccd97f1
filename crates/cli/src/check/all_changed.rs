//! `parallax check OLD NEW --all-changed`: each changed function by itself, in one report.

use build::Builder;
use compare::{Comparison, Observer, Spec, changed_code};
use harness::FunctionSpec;
use report::FunctionRow;

use crate::announce;

/// Compares all changed functions that both versions have, as `spec` says for one.
pub(super) fn compare_all(
    spec: &Spec,
    function: &FunctionSpec,
    observer: &dyn Observer,
) -> anyhow::Result<Vec<FunctionRow>> {
    let [old, new] = &spec.versions[..] else {
        anyhow::bail!("`--all-changed` compares the functions of two versions, and there are more");
    };
    let tell = |what: &str| announce(what);
    let builder = Builder::new(&tell)?;
    let compared = changed_code(&builder, [old, new], &spec.build, None)?;
    let functions = compared.changes.functions.iter();
    let mut names: Vec<String> = functions
        .map(|changed| version_diff::report::display_name(&compared.new, changed.new))
        .collect();
    names.retain(|name| name != "main");
    anyhow::ensure!(
        !names.is_empty(),
        "no function has changed that both versions have, but for `main`; leave `--all-changed` out to compare the programs"
    );
    let mut rows = Vec::new();
    for name in names {
        if observer
            .interrupt()
            .load(std::sync::atomic::Ordering::Relaxed)
        {
            let found = Err("the check was interrupted before its turn".to_owned());
            rows.push(FunctionRow { name, found });
            continue;
        }
        let one = Spec {
            function: Some(FunctionSpec {
                name: name.clone(),
                ..function.clone()
            }),
            ..spec.clone()
        };
        let found = Comparison::run(&one, observer).map_err(|error| format!("{error:#}"));
        rows.push(FunctionRow { name, found });
    }
    report::sort_functions(&mut rows);
    Ok(rows)
}
