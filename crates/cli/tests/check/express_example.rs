//! eXpress's motivating example (§3) in our own words: a lock that moves through states, and a change that matters for
//! one length of the input only. How many runs does it take to execute the changed branch?

use crate::support::Bench;

/// Runs until the first difference, which needs the changed branch, and runs until nothing is left.
fn runs(options: &[&str]) -> (u64, u64) {
    let bench = Bench::new();
    for version in ["old.c", "new.c"] {
        let text = std::fs::read_to_string(format!("../../examples/dial/{version}")).unwrap();
        bench.write(version, &text);
    }
    // Existing tests that execute all of the old version but its last resorts.
    for seed in ["01", "02", "03", "04"] {
        let place = format!("../../examples/dial/seeds/{seed}/argv");
        let text = std::fs::read_to_string(place).unwrap();
        bench.write(&format!("seeds/{seed}/argv"), &text);
    }
    let mut all = vec!["check", "old.c", "new.c", "--format", "json"];
    all.extend(["--sym-args", "1", "1", "7", "--timeout", "300s"]);
    all.push("--fresh");
    all.extend(options);
    let said = bench.parallax(&all);
    let report = said.json();
    assert_eq!(report["verdict"], "different", "{report:#}");
    assert_eq!(report["exhausted"], true, "{report:#}");
    let first = report["first_difference"]["runs"].as_u64().unwrap();
    (first, report["stats"]["runs"].as_u64().unwrap())
}

#[test]
fn pruning_saves_half_of_the_runs_and_seeding_nine_tenths() {
    let show = |name: &str, (first, all): (u64, u64)| {
        println!("{name:<26}{first:>6} runs to the changed branch, {all:>6} in all");
        (first, all)
    };
    let seeds = ["--seeds", "seeds"];
    let with = |strategy: &'static str, more: &[&'static str]| {
        let options = [&["--strategy", strategy][..], more].concat();
        show(&[&[strategy][..], more].concat().join(" "), runs(&options))
    };
    // The tool that eXpress was built on chooses by coverage.
    let coverage = with("coverage", &[]);
    let express = with("coverage", &["--prune"]);
    let dart = with("dart", &[]);
    let dart_pruned = with("dart", &["--prune"]);
    let reach = with("reach", &[]);
    let reach_pruned = with("reach", &["--prune"]);
    let bfs = with("bfs", &[]);
    let bfs_pruned = with("bfs", &["--prune"]);
    with("auto", &[]);
    // How `auto` shares its time depends on the clock.
    with("auto", &seeds);
    let seeded = with("coverage", &[&["--prune"][..], &seeds].concat());
    for (all, pruned) in [(coverage, express), (dart, dart_pruned)] {
        assert!(pruned.0 * 2 <= all.0, "{pruned:?} of {all:?}");
        assert!(pruned.1 * 2 <= all.1, "{pruned:?} of {all:?}");
    }
    for (all, pruned) in [(reach, reach_pruned), (bfs, bfs_pruned)] {
        assert!(pruned.0 < all.0, "{pruned:?} of {all:?}");
    }
    assert!(seeded.0 * 10 <= dart.0.min(coverage.0), "{seeded:?}");
}
