//! The page of a report in a real browser: Debian's chromium, headless.
//!
//! A script at the end of a copy of the page does what a reader does and writes down what it sees; the browser prints the page
//! when it is done. The page's own security policy stays in force.

mod support;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use compare::Report;
use compare::search::partitions::{Entry, PartitionStatus};
use exploration::worker::Proof;
use report::Sources;
use serde_json::{Value, json};
use support::{hostile, report, several, undecided};

/// What is said of a page: errors, and what a script answers.
struct Seen {
    answer: Value,
    /// Messages on the console, and policy violations.
    console: Vec<String>,
    wall: Duration,
}

/// Opens a page and runs a script in it, which sets `answer`.
fn seen(page: &str, script: &str, width: u32, dark: bool) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let watched = page.replacen(
        "<style>",
        "<script>window.faults = []; addEventListener('error', (e) => faults.push(e.message)); \
         addEventListener('unhandledrejection', (e) => faults.push(String(e.reason))); \
         addEventListener('securitypolicyviolation', (e) => faults.push(e.violatedDirective)); \
         window.began = performance.now();</script><style>",
        1,
    );
    let asked = format!(
        "<script>(async () => {{ let answer = {{}}; try {{ {script} }} catch (error) {{ faults.push(String(error.stack)); }}\n\
         const out = document.createElement('pre'); out.id = 'answer'; \
         out.textContent = 'ANSWER' + btoa(unescape(encodeURIComponent(JSON.stringify({{answer, faults}})))) + '.'; \
         document.body.append(out); }})();</script></body>"
    );
    let at = watched.rfind("</body>").unwrap();
    std::fs::write(&file, format!("{}{asked}</html>", &watched[..at])).unwrap();
    let start = Instant::now();
    let output = chromium(folder.path(), width, dark)
        .args(["--virtual-time-budget=4000", "--dump-dom"])
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("chromium runs; `make setup` installs it (Debian's package chromium)");
    let wall = start.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = text
        .rsplit_once("ANSWER")
        .unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(&output.stderr)));
    let (answer, _) = rest.split_once('.').unwrap();
    let answer: Value = serde_json::from_slice(&base64(answer)).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut console: Vec<String> = stderr
        .lines()
        .filter(|line| line.contains(":CONSOLE"))
        .map(str::to_owned)
        .collect();
    console.extend(
        answer["faults"]
            .as_array()
            .unwrap()
            .iter()
            .map(Value::to_string),
    );
    Seen {
        answer: answer["answer"].clone(),
        console,
        wall,
    }
}

fn chromium(folder: &Path, width: u32, dark: bool) -> Command {
    let mut command = Command::new("timeout");
    command
        .args(["60", "chromium"])
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars",
        ])
        .args([
            "--enable-logging=stderr",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-sync",
        ])
        .arg(format!(
            "--blink-settings=preferredColorScheme={}",
            if dark { 0 } else { 1 }
        ))
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("--window-size={width},900"))
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", folder)
        .env("XDG_CACHE_HOME", folder);
    command
}

fn base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text
        .bytes()
        .filter(|&byte| byte != b'=')
        .map(value)
        .collect();
    let chunk = |digits: &[u8]| {
        let bits = digits
            .iter()
            .fold(0u32, |bits, &digit| bits << 6 | u32::from(digit))
            << (6 * (4 - digits.len()));
        bits.to_be_bytes()[1..digits.len()].to_vec()
    };
    digits.chunks(4).flat_map(chunk).collect()
}

fn page(report: &Report) -> String {
    report::html(report, &Sources::new())
}

/// As large as a report gets.
fn large() -> Report {
    let few = several();
    let differences = std::iter::repeat_n(few.differences, 100).flatten();
    let mut report = report(differences.collect());
    let partition = |number: u64| Entry {
        condition: vec![
            "2 arguments".to_owned(),
            format!("argv[1][0] in {}..{}", number * 10, number * 10 + 9),
            "argv[2][0] != 'H'".to_owned(),
        ],
        outputs: Vec::new(),
        known: match number % 7 {
            0 => PartitionStatus::Different,
            1 => PartitionStatus::Unknown("the solver ran out of time".to_owned()),
            _ => PartitionStatus::Equal(Proof::Solver),
        },
        groups: None,
        count: 1,
    };
    report.partitions.entries = (0..2000).map(partition).collect();
    report.partitions.counts.equal_by_solver = 2000;
    report
}

const LAYOUT: &str = "
    const all = [...document.querySelectorAll('main *, header *')];
    const wide = document.documentElement.scrollWidth;
    answer.overflows = wide > innerWidth + 1;
    answer.width = innerWidth;
    answer.background = getComputedStyle(document.body).backgroundColor;
    answer.differences = document.querySelectorAll('.difference').length;
    answer.open = document.querySelectorAll('.difference[open]').length;";

/// On a phone and on a desk, by day and by night: nothing sticks out, nothing is wrong on the console.
#[test]
fn pages_fit_and_have_no_errors() {
    let mut backgrounds = Vec::new();
    for (name, report) in [
        ("several", several()),
        ("undecided", undecided()),
        ("hostile", hostile()),
    ] {
        for (width, dark) in [(375, false), (1440, true)] {
            let seen = seen(&page(&report), LAYOUT, width, dark);
            assert_eq!(seen.console, [""; 0], "{name}");
            assert_eq!(
                seen.answer["overflows"], false,
                "{name} at {width}: {}",
                seen.answer
            );
            assert_eq!(seen.answer["differences"], report.differences.len());
            backgrounds.push(seen.answer["background"].clone());
        }
    }
    assert_ne!(backgrounds[0], backgrounds[1], "light is not dark");
}

/// What a reader does with keys and buttons.
#[test]
fn filters_keys_and_copies_work() {
    let script = "
        const key = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
        const type = (id, text) => { const box = document.querySelector(id); box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})); };
        const shown = (selector) => [...document.querySelectorAll(selector)].filter((own) => !own.hidden).length;
        const copied = [];
        document.execCommand = () => { copied.push(document.activeElement.value); return true; };
        navigator.clipboard.writeText = () => Promise.reject(new Error('no clipboard'));
        const pause = () => new Promise((done) => setTimeout(done, 20));
        type('#filter-differences', 'failed BEFORE'); answer.filtered = shown('.difference');
        answer.said = document.querySelector('#differences-shown').textContent;
        type('#filter-differences', ''); answer.unfiltered = shown('.difference');
        type('#filter-partitions', \"argv[1][0] == 'a'\"); answer.partitions = shown('.partitions li');
        type('#filter-partitions', ''); type('#kind-partitions', 'open'); answer.unknown = shown('.partitions li');
        document.querySelector('.treemap a[href=\"#p1\"]').click(); answer.revealed = shown('.partitions li');
        document.querySelectorAll('.difference').forEach((own) => own.open = false);
        key('j'); answer.first = document.activeElement.closest('.difference').open;
        key('j'); answer.second = document.querySelector('.current .title').textContent;
        key('k'); key('c'); await pause(); answer.reproduction = copied.at(-1);
        document.querySelector('.difference .copy').click(); await pause(); answer.input = copied.at(-1);
        key('/'); answer.focus = document.activeElement.id; document.activeElement.blur();
        key('?'); answer.help = document.querySelector('#keys').open; document.querySelector('#keys').close();
        document.querySelector('#theme').click(); answer.theme = document.documentElement.dataset.theme;";
    let seen = seen(&page(&several()), script, 1440, false);
    assert_eq!(seen.console, [""; 0]);
    assert_eq!(
        seen.answer,
        json!({
            "filtered": 1, "said": "1 of 3", "unfiltered": 3, "partitions": 1, "unknown": 1, "revealed": 3,
            "first": true, "second": "standard output differs",
            "reproduction": "sh .parallax/check/new/002/reproduce.sh",
            "input": "input: .parallax/check/new/002/bin/new -1 </dev/null", "focus": "filter-differences", "help": true, "theme": "dark",
        })
    );
}

/// The plane has the colours of the partitions, and zooms.
#[test]
fn the_plane_shows_partitions() {
    let mut report = several();
    let entry = |known: PartitionStatus, conditions: &[&str]| Entry {
        condition: conditions.iter().map(|&own| own.to_owned()).collect(),
        outputs: Vec::new(),
        known,
        groups: None,
        count: 1,
    };
    report.partitions.entries = vec![
        entry(
            PartitionStatus::Equal(Proof::Solver),
            &["low <= value", "value <= 9"],
        ),
        entry(
            PartitionStatus::Different,
            &["value < low", "value in 0..5"],
        ),
        entry(
            PartitionStatus::Equal(Proof::Solver),
            &["(low + value) == 3"],
        ),
    ];
    let script = "
        const canvas = document.querySelector('#plane-canvas');
        const colours = () => {
            const data = canvas.getContext('2d').getImageData(60, 0, canvas.width - 60, canvas.height - 40).data;
            const found = new Set();
            for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) found.add([data[at], data[at + 1], data[at + 2]].join());
            return found.size;
        };
        answer.hidden = document.querySelector('#plane').hidden;
        answer.inputs = [...document.querySelector('#plane-x').options].map((own) => own.value);
        answer.said = document.querySelector('#plane-said').textContent;
        const before = canvas.toDataURL();
        document.querySelector('#zoom-out').click();
        answer.zooms = canvas.toDataURL() !== before;
        document.querySelector('#zoom-reset').click();
        answer.resets = canvas.toDataURL() === before;";
    let seen = seen(&page(&report), script, 1440, false);
    assert_eq!(seen.console, [""; 0]);
    assert_eq!(seen.answer["hidden"], false);
    assert_eq!(seen.answer["inputs"], json!(["low", "value"]));
    let said = seen.answer["said"].as_str().unwrap();
    assert!(said.starts_with("2 partitions in sight."), "{said}");
    assert!(said.contains("are not drawn"), "{said}");
    assert_eq!(
        (&seen.answer["zooms"], &seen.answer["resets"]),
        (&json!(true), &json!(true))
    );
}

/// Nothing of what programs put out, or are called, is more than text.
#[test]
fn hostile_content_stays_text() {
    let page = page(&hostile());
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    for bad in ['\x1b', '\u{202e}', '\0'] {
        assert!(!page.contains(bad), "{bad:?}");
    }
    let script = "
        answer.scripts = document.querySelectorAll('script').length;
        answer.bold = document.querySelectorAll('main b').length;
        answer.text = document.querySelector('.sides').textContent.includes('<' + 'script>alert(1)</' + 'script>');
        answer.details = document.querySelectorAll('.difference > .body').length;";
    let seen = seen(&page, script, 1440, false);
    assert_eq!(seen.console, [""; 0]);
    // The watcher's, the data, the page's own, and this one.
    assert_eq!(seen.answer["scripts"], 4);
    assert_eq!(seen.answer["text"], true);
    assert_eq!(seen.answer["details"], 1);
}

/// 2,000 partitions and 300 differences.
#[test]
fn a_large_report_opens_fast_and_stays_small() {
    let page = page(&large());
    assert!(page.len() < 10 << 20, "{} bytes", page.len());
    let script = "
        document.body.getBoundingClientRect();
        answer.opened = performance.now() - began;
        const box = document.querySelector('#filter-partitions');
        box.value = '19990'; const start = performance.now(); box.dispatchEvent(new Event('input'));
        document.body.getBoundingClientRect(); answer.filtered = performance.now() - start;
        answer.left = [...document.querySelectorAll('.partitions li')].filter((own) => !own.hidden).length;";
    let seen = seen(&page, script, 1440, false);
    assert_eq!(seen.console, [""; 0]);
    assert_eq!(seen.answer["left"], 1);
    println!(
        "{} bytes; {}; the browser took {:.1} s in all",
        page.len(),
        seen.answer,
        seen.wall.as_secs_f64()
    );
}

/// Screenshots for people, where they are asked for.
#[test]
fn screenshots() {
    let Some(folder) = std::env::var_os("SCREENSHOTS") else {
        return;
    };
    let folder = Path::new(&folder);
    for (name, report) in [
        ("several", several()),
        ("undecided", undecided()),
        ("hostile", hostile()),
        ("large", large()),
    ] {
        let file = folder.join(format!("{name}.html"));
        std::fs::write(&file, page(&report)).unwrap();
        for (width, dark) in [(375, false), (375, true), (1440, false), (1440, true)] {
            let profile = tempfile::tempdir().unwrap();
            let colour = if dark { "dark" } else { "light" };
            let status = chromium(profile.path(), width, dark)
                .arg(format!(
                    "--screenshot={}",
                    folder
                        .join(format!("{name}-{width}-{colour}.png"))
                        .display()
                ))
                .arg(format!("file://{}", file.display()))
                .output()
                .unwrap();
            assert!(status.status.success());
        }
    }
}
