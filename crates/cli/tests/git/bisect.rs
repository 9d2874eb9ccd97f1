//! `parallax bisect` on histories that are made here: renames, merges, build breaks and reverts, each with a known truth.

use std::fs;

use crate::support::Bench;
use crate::support::repository::assert_same;
use random::SplitMix;
use serde_json::Value;

/// What a commit of a made-up history holds.
#[derive(Clone)]
struct State {
    source: String,
    /// Shown on the input that is bisected.
    bias: u32,
    /// Shown on other inputs.
    noise: u32,
    notes: u32,
    broken: bool,
}

impl State {
    fn write(&self, bench: &Bench) {
        let broken = if self.broken { "BROKEN" } else { "" };
        let text = format!(
            "#include <stdio.h>
/* note {} */
static int noise(int n) {{ return n * {}; }}
int main(int argc, char **argv)
{{
    if (argc > 2)
        printf(\"noise %d\\n\", noise(argc));
    else
        printf(\"%d\\n\", argc + {}); {broken}
    return 0;
}}
",
            self.notes, self.noise, self.bias
        );
        for entry in fs::read_dir(bench.folder()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "c") {
                fs::remove_file(path).unwrap();
            }
        }
        bench.write(&self.source, &text);
    }
}

/// A commit of the main line, and the commit that really brought what it changes.
struct Made {
    commit: String,
    culprit: String,
    state: State,
}

/// A history of a seed: the base, then commits along first parents.
struct History {
    bench: Bench,
    line: Vec<Made>,
}

impl History {
    fn of(seed: u64) -> History {
        let mut random = SplitMix(seed);
        let bench = Bench::new();
        bench.git(&["init", "-q"]);
        let mut state = State {
            source: "first.c".to_owned(),
            bias: 0,
            noise: 3,
            notes: 0,
            broken: false,
        };
        state.write(&bench);
        let commit = bench.commit_all("Begin");
        let mut history = History {
            bench,
            line: vec![Made {
                culprit: commit.clone(),
                commit,
                state: state.clone(),
            }],
        };
        let length = 8 + random.below(9);
        let culprit_at = 1 + random.below(length - 2);
        let revert_at =
            (random.below(3) == 0).then(|| culprit_at + 1 + random.below(length - culprit_at));
        for number in 0..length {
            state.broken = state.broken && random.below(2) == 0 && number + 1 < length;
            let changes_bias = number == culprit_at || Some(number) == revert_at;
            let bias = match changes_bias {
                true => 1 - state.bias,
                false => state.bias,
            };
            match random.below(6) {
                0 => history.merge(&mut state, bias, &mut random),
                1 => {
                    state.bias = bias;
                    state.source = format!("file{number}.c");
                    history.add(&state, "Rename");
                }
                2 if number + 1 < length && number > 0 => {
                    state.bias = bias;
                    state.broken = true;
                    history.add(&state, "Break the build");
                }
                3 => {
                    state.bias = bias;
                    state.noise += 1;
                    history.add(&state, "Another noise");
                }
                _ => {
                    state.bias = bias;
                    state.notes += 1;
                    history.add(&state, "Take a note");
                }
            }
        }
        if state.broken {
            state.broken = false;
            history.add(&state, "Mend the build");
        }
        history
    }

    fn add(&mut self, state: &State, subject: &str) {
        state.write(&self.bench);
        let commit = self.bench.commit_all(subject);
        self.line.push(Made {
            culprit: commit.clone(),
            commit,
            state: state.clone(),
        });
    }

    /// A branch of some commits, one of which may change the bias, while the main line changes another file.
    fn merge(&mut self, state: &mut State, bias: u32, random: &mut SplitMix) {
        let name = format!("side{}", self.line.len());
        self.bench.git(&["checkout", "-q", "-b", &name]);
        state.broken = false;
        let commits = 1 + random.below(3);
        let changing = random.below(commits);
        let mut culprit = None;
        for number in 0..commits {
            state.notes += 1;
            if number == changing && state.bias != bias {
                state.bias = bias;
                state.write(&self.bench);
                culprit = Some(self.bench.commit_all("Change it aside"));
            } else {
                state.write(&self.bench);
                self.bench.commit_all("Work aside");
            }
        }
        self.bench.git(&["checkout", "-q", "main"]);
        if random.below(2) == 0 {
            let previous = self.line.last().unwrap().state.clone();
            self.bench.write("README", &name);
            let commit = self.bench.commit_all("Document");
            self.line.push(Made {
                culprit: commit.clone(),
                commit,
                state: previous,
            });
        }
        self.bench
            .git(&["merge", "-q", "--no-ff", "-m", "Join", &name]);
        let commit = self.bench.git(&["rev-parse", "HEAD"]);
        self.line.push(Made {
            culprit: culprit.unwrap_or_else(|| commit.clone()),
            commit,
            state: state.clone(),
        });
    }

    /// The true changes: the last commit before, the first after, and the culprit if it is known.
    fn truth(&self) -> Vec<(usize, usize)> {
        let known = self
            .line
            .iter()
            .enumerate()
            .filter(|(_, made)| !made.state.broken);
        let known: Vec<_> = known.collect();
        let pairs = known.windows(2);
        pairs
            .filter(|pair| pair[0].1.state.bias != pair[1].1.state.bias)
            .map(|pair| (pair[0].0, pair[1].0))
            .collect()
    }

    fn bisect(&self, more: &[&str]) -> Value {
        let range = format!("{}..HEAD", self.line[0].commit);
        let arguments = [
            &["bisect", "--git", &range, "--format", "json"],
            more,
            &["--", "x"],
        ]
        .concat();
        let said = self.bench.parallax(&arguments);
        assert!(said.status < 2, "{}{}", said.stdout, said.stderr);
        let report = said.json();
        let changed = report["changes"].as_array().unwrap().is_empty();
        assert_eq!(said.status == 0, changed, "{report:#}");
        report
    }

    /// Whether a found change is this true one, with its culprit named if it can be.
    fn is_true(&self, change: &Value, (before, after): (usize, usize)) -> bool {
        let exact = after == before + 1;
        let merged = &change["merged"]["after"]["commit"];
        let named = match merged.is_null() {
            true => &change["after"]["commit"],
            false => merged,
        };
        let skipped = change["skipped"].as_array().unwrap().len();
        change["before"]["commit"] == self.line[before].commit.as_str()
            && change["after"]["commit"] == self.line[after].commit.as_str()
            && change["exact"] == exact
            && skipped == after - before - 1
            && (!exact || *named == self.line[after].culprit.as_str())
    }

    /// How many versions `git bisect run` tries.
    fn git_bisect(&self) -> u64 {
        let last = self.line.last().unwrap().state.bias;
        let aside = tempfile::tempdir().unwrap();
        let script = aside.path().join("try.sh");
        let list = aside.path().join("tried");
        let text = format!(
            "echo >>{}\ngrep -q BROKEN *.c && exit 125\ngrep -q 'argc + {last})' *.c && exit 1\nexit 0\n",
            list.display()
        );
        fs::write(&script, text).unwrap();
        let clone = aside.path().join("clone").display().to_string();
        let bench = &self.bench;
        bench.git(&["clone", "-q", ".", &clone]);
        bench.git(&[
            "-C",
            &clone,
            "bisect",
            "start",
            "HEAD",
            &self.line[0].commit,
        ]);
        let script = script.display().to_string();
        let mut command = bench.command("git");
        command.args(["-C", &clone, "bisect", "run", "sh", &script]);
        // It fails if only skipped commits are left.
        crate::support::said(&mut command);
        let tried = fs::read_to_string(list).expect("git tries something");
        tried.lines().count() as u64
    }
}

#[test]
fn thirty_histories() {
    let (mut asked, mut asked_by_git, mut merged, mut reverted, mut inexact) = (0, 0, 0, 0, 0);
    for seed in 0..30 {
        let history = History::of(seed);
        let truth = history.truth();
        let (first, last) = (&history.line[0].state, &history.line.last().unwrap().state);
        let before = history.bench.everything();
        let report = history.bisect(&[]);
        let changes = report["changes"].as_array().unwrap();
        if first.bias != last.bias {
            let [change] = &changes[..] else {
                panic!("seed {seed}: {report:#}")
            };
            let is_true = truth.iter().any(|&step| history.is_true(change, step));
            assert!(is_true, "seed {seed}: {truth:?} {report:#}");
            asked += report["asked"].as_u64().unwrap();
            // The ends, which git is told.
            asked_by_git += history.git_bisect() + 2;
            merged += u32::from(!change["merged"].is_null());
            inexact += u32::from(change["exact"] == false);
        }
        let report = history.bisect(&["--all"]);
        let changes = report["changes"].as_array().unwrap();
        assert_eq!(
            changes.len(),
            truth.len(),
            "seed {seed}: {truth:?} {report:#}"
        );
        for (number, (change, &step)) in changes.iter().zip(&truth).enumerate() {
            assert!(
                history.is_true(change, step),
                "seed {seed}: {truth:?} {report:#}"
            );
            // Two behaviours: every change but the first brings the earlier one back.
            let undone = &change["undoes"]["commit"];
            match number {
                0 => assert!(undone.is_null(), "seed {seed}: {report:#}"),
                _ => {
                    reverted += 1;
                    assert_eq!(
                        *undone,
                        changes[number - 1]["after"]["commit"],
                        "seed {seed}: {report:#}"
                    );
                }
            }
        }
        assert_same(&before, &history.bench.everything(), "after a search");
    }
    // No more than git, which is told what the ends do.
    assert!(asked <= asked_by_git, "{asked} {asked_by_git}");
    println!(
        "versions asked: {asked}, by git bisect run: {asked_by_git}; in merged lines {merged}, reverts {reverted}, only bounds {inexact}"
    );
    // The histories are of all kinds.
    assert!(
        merged > 0 && reverted > 0 && inexact > 0,
        "{merged} {reverted} {inexact}"
    );
}

fn sums() -> (Bench, Vec<String>) {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    let text = "#include <stdio.h>\nint main(int argc, char **argv)\n{\n    int c = getchar();\n    printf(\"%d\\n\", c * 1);\n    return 0;\n}\n";
    let mut commits = vec![bench.commit_file("sum.c", text, "Begin")];
    let doubled = text.replace("* 1", "* 2");
    commits.push(bench.commit_file("sum.c", &doubled, "Double it"));
    commits.push(bench.commit_file("notes", "words\n", "Take notes"));
    commits.push(bench.commit_file(
        "sum.c",
        &doubled.replace("return 0", "return c == 'x'"),
        "Complain",
    ));
    commits.push(bench.commit_file(
        "sum.c",
        &text.replace("return 0", "return c == 'x'"),
        "Do not double it",
    ));
    (bench, commits)
}

#[test]
fn an_input_as_check_writes_it() {
    let (bench, commits) = sums();
    let range = format!("{}..{}", commits[0], commits[3]);
    let said = bench.parallax(&["check", "--git", &range, "--sym-stdin", "1"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let folder = bench.path(".parallax/check/work/001");
    assert!(folder.join("new/argv").is_file(), "{}", said.stdout);
    let said = bench.parallax(&[
        "bisect",
        "--git",
        &range,
        "--all",
        ".parallax/check/work/001",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("Double it"), "{}", said.stdout);
    assert!(!said.stdout.contains("Take notes"), "{}", said.stdout);
    let again = bench.parallax(&[
        "bisect",
        "--git",
        &range,
        "--all",
        ".parallax/check/work/001/old",
    ]);
    assert_eq!(
        again.stdout.replace(" 0 built", ""),
        said.stdout.replace(" 4 built", "")
    );
    assert!(
        again.stdout.contains("4 versions asked, 0 built"),
        "{}",
        again.stdout
    );
}

#[test]
fn an_input_on_the_command_line() {
    let (bench, commits) = sums();
    bench.write("in.txt", "x");
    let range = format!("{}..", commits[0]);
    let with = |more: &[&str]| {
        let arguments = [&["bisect", "--git", &range, "--stdin", "in.txt"], more].concat();
        bench.parallax(&arguments)
    };
    let said = with(&["--all"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let expected = format!(
        "3 changes of behaviour in {range}
{} Double it
  stdout: \"120\\n\" -> \"240\\n\"
{} Complain
  end: exit status 0 -> exit status 1
{} Do not double it
  stdout: \"240\\n\" -> \"120\\n\"
4 commits in the range; 5 versions asked, 5 built
",
        &commits[1][..10],
        &commits[3][..10],
        &commits[4][..10]
    );
    assert_eq!(said.stdout, expected);
    // Another input: what one commit did another undid, and the ends do the same.
    bench.write("in.txt", "a");
    let said = with(&[]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout
            .contains(&format!("undoes {} Double it", &commits[1][..10])),
        "{}",
        said.stdout
    );
    let range = format!("{}..{}", commits[1], commits[2]);
    let said = bench.parallax(&["bisect", "--git", &range]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("no commit in"), "{}", said.stdout);
    bench.assert_no_leftovers();
}

/// Both parents of a merge do the same, and the merge does not.
#[test]
fn a_merge_may_be_the_culprit() {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    bench.write("one.c", "int one(void) { return 0; }\n");
    let main = "#include <stdio.h>\nint one(void);\nint two(void);\nint main(void) { printf(\"%d\\n\", one() * two()); return 0; }\n";
    bench.write("main.c", main);
    let base = bench.commit_file("two.c", "int two(void) { return 0; }\n", "Begin");
    bench.git(&["checkout", "-q", "-b", "side"]);
    bench.commit_file("two.c", "int two(void) { return 2; }\n", "Two");
    bench.git(&["checkout", "-q", "main"]);
    bench.commit_file("one.c", "int one(void) { return 1; }\n", "One");
    bench.git(&["merge", "-q", "--no-ff", "-m", "Join", "side"]);
    let said = bench.parallax(&[
        "bisect",
        "--git",
        &format!("{base}..HEAD"),
        "--format",
        "json",
    ]);
    let report = said.json();
    let change = &report["changes"][0];
    assert_eq!(change["after"]["subject"], "Join", "{report:#}");
    assert_eq!(change["by_merging"], true, "{report:#}");
    assert!(change["merged"].is_null(), "{report:#}");
}

#[test]
fn bad_input() {
    let (bench, commits) = sums();
    fs::create_dir(bench.path("empty")).unwrap();
    let range = format!("{}..HEAD", commits[0]);
    let cases: &[(&[&str], &str)] = &[
        (&["--git", "HEAD"], "is one revision; give GOOD..BAD"),
        (&["--git", "absent..HEAD"], "no revision `absent`"),
        (&["--git", "HEAD..HEAD"], "no commit lies in"),
        (&[], "--git"),
        (&["--git", &range, "empty"], "is no test"),
        (
            &["--git", &range, "--stdin", "absent"],
            "cannot read standard input from `absent`",
        ),
        (
            &["--git", &range, "empty", "--", "x"],
            "cannot be used with",
        ),
        (
            &["--git", &range, "--build", "false"],
            "cannot be asked: it does not build: `false` ended with",
        ),
    ];
    for (arguments, words) in cases {
        let said = bench.parallax(&[&["bisect"], *arguments].concat());
        assert_eq!(said.status, 2, "{arguments:?}: {}", said.stdout);
        assert!(
            said.stderr.contains(words),
            "{arguments:?}: {}",
            said.stderr
        );
    }
    bench.assert_no_leftovers();
}
