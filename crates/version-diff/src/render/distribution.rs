//! How numbers are distributed over a history, as SVG (thesis Fig. 5.7 and 5.8 draw the complexity of errors so).
//!
//! Above, a histogram of each series, in classes that double, since complexity follows a power law (§5.5).
//! Below, for each series the share of commits with at least that value, over a logarithmic axis: the
//! complement of the thesis' cumulative distribution, in which the few complex commits stay visible.

use super::svg::escaped;
use std::fmt::Write;

/// Numbers of one kind, one for each commit.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// What the name stands for.
    pub meaning: String,
    pub values: Vec<u64>,
}

const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 776.0;
const COLOURS: [&str; 4] = ["#2b6cb0", "#c05621", "#2f855a", "#6b46c1"];
const GREY: &str = "#555";
const GRID: &str = "#e2e2e2";

/// A picture of the series, side by side and over each other.
pub fn distribution(title: &str, subtitle: &str, series: &[Series]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">"
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(title));
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    text(
        &mut out,
        (WIDTH / 2.0, 32.0),
        "middle",
        "font-size=\"18\" font-weight=\"bold\"",
        title,
    );
    text(
        &mut out,
        (WIDTH / 2.0, 54.0),
        "middle",
        &format!("fill=\"{GREY}\""),
        subtitle,
    );
    let count = series.len().max(1) as f64;
    let (left, right, gap) = (70.0, 30.0, 70.0);
    let width = (WIDTH - left - right - gap * (count - 1.0)) / count;
    for (number, one) in series.iter().enumerate() {
        let frame = Frame {
            left: left + number as f64 * (width + gap),
            top: 104.0,
            width,
            height: 220.0,
        };
        histogram(&mut out, &frame, one, COLOURS[number % COLOURS.len()]);
    }
    let frame = Frame {
        left,
        top: 446.0,
        width: WIDTH - left - right,
        height: 260.0,
    };
    shares(&mut out, &frame, series);
    out.push_str("</svg>\n");
    out
}

/// The part of the picture between the axes.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn bottom(&self) -> f64 {
        self.top + self.height
    }

    fn right(&self) -> f64 {
        self.left + self.width
    }

    fn heading(&self, out: &mut String, words: &str) {
        let at = (self.left + self.width / 2.0, self.top - 16.0);
        text(
            out,
            at,
            "middle",
            "font-size=\"14\" font-weight=\"bold\"",
            words,
        );
    }

    fn axes(&self, out: &mut String, below: &str, beside: &str) {
        let (left, bottom) = (self.left, self.bottom());
        let _ = writeln!(
            out,
            "<path d=\"M{left:.1} {:.1}V{bottom:.1}H{:.1}\" fill=\"none\" stroke=\"black\"/>",
            self.top,
            self.right()
        );
        text(
            out,
            (left + self.width / 2.0, bottom + 38.0),
            "middle",
            "",
            below,
        );
        let (x, y) = (left - 48.0, self.top + self.height / 2.0);
        let turned = format!("transform=\"rotate(-90 {x:.1} {y:.1})\"");
        text(out, (x, y), "middle", &turned, beside);
    }

    /// A number beside the vertical axis, with a line across.
    fn level(&self, out: &mut String, share: f64, label: &str) {
        let y = self.bottom() - share * self.height;
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"{GRID}\"/>",
            self.left,
            self.right()
        );
        text(out, (self.left - 8.0, y + 4.0), "end", "", label);
    }
}

/// A class of values, both ends inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Class {
    first: u64,
    last: u64,
}

impl Class {
    fn label(self) -> String {
        match self.first == self.last {
            true => self.first.to_string(),
            false => format!("{}–{}", self.first, self.last),
        }
    }
}

/// 0 if it occurs, 1, 2, 3–4, 5–8, 9–16 and so on up to the largest value.
fn classes(values: &[u64]) -> Vec<Class> {
    let mut classes = Vec::new();
    if values.contains(&0) {
        classes.push(Class { first: 0, last: 0 });
    }
    let largest = values.iter().copied().max().unwrap_or(0).max(1);
    let (mut first, mut last) = (1, 1u64);
    loop {
        classes.push(Class { first, last });
        if last >= largest {
            return classes;
        }
        first = last + 1;
        last = last.saturating_mul(2);
    }
}

fn histogram(out: &mut String, frame: &Frame, series: &Series, colour: &str) {
    let classes = classes(&series.values);
    let count = |class: Class| {
        let inside = |value: &&u64| (class.first..=class.last).contains(*value);
        series.values.iter().filter(inside).count()
    };
    let counts: Vec<usize> = classes.iter().map(|&class| count(class)).collect();
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let step = round_step(most);
    // Room for the number above the highest bar.
    let top = (most + most / 10 + 1).div_ceil(step) * step;
    frame.heading(out, &format!("{}: {}", series.name, series.meaning));
    for level in (0..=top).step_by(step) {
        frame.level(out, level as f64 / top as f64, &level.to_string());
    }
    let slot = frame.width / classes.len() as f64;
    let bar = (slot * 0.72).min(60.0);
    // Ten classes fill the width with their labels upright.
    let is_crowded = classes.len() > 9;
    for (number, (&class, &count)) in classes.iter().zip(&counts).enumerate() {
        let centre = frame.left + (number as f64 + 0.5) * slot;
        let height = frame.height * count as f64 / top as f64;
        let y = frame.bottom() - height;
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{bar:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>",
            centre - bar / 2.0
        );
        if count > 0 {
            let size = "font-size=\"11\"";
            text(out, (centre, y - 4.0), "middle", size, &count.to_string());
        }
        let at = (centre, frame.bottom() + 16.0);
        if is_crowded {
            let turned = format!(
                "font-size=\"10\" transform=\"rotate(-30 {:.1} {:.1})\"",
                at.0, at.1
            );
            text(out, (at.0 + 10.0, at.1), "end", &turned, &class.label());
        } else {
            text(out, at, "middle", "font-size=\"11\"", &class.label());
        }
    }
    frame.axes(out, "", "commits");
    let below = (
        frame.left + frame.width / 2.0,
        frame.bottom() + if is_crowded { 58.0 } else { 40.0 },
    );
    text(out, below, "middle", "", &series.name);
}

/// 1, 2 or 5 times a power of ten, so that about five of it make the whole.
fn round_step(whole: usize) -> usize {
    let mut scale = 1;
    loop {
        for step in [scale, 2 * scale, 5 * scale] {
            if whole <= 6 * step {
                return step;
            }
        }
        scale *= 10;
    }
}

fn shares(out: &mut String, frame: &Frame, series: &[Series]) {
    frame.heading(out, "Share of commits with at least this value");
    for percent in [0, 25, 50, 75, 100] {
        frame.level(out, f64::from(percent) / 100.0, &format!("{percent} %"));
    }
    let all = series.iter().flat_map(|one| &one.values);
    let largest = all.copied().max().unwrap_or(1).max(10);
    // A little room, so that the last step ends inside.
    let decades = (largest as f64).log10() * 1.03;
    let x = |value: u64| frame.left + frame.width * (value.max(1) as f64).log10() / decades;
    let y = |share: f64| frame.bottom() - share * frame.height;
    let mut decade = 1u64;
    while decade <= largest {
        for tick in [decade, 2 * decade, 5 * decade] {
            if tick <= largest {
                let _ = writeln!(
                    out,
                    "<path d=\"M{:.1} {:.1}V{:.1}\" stroke=\"{GRID}\"/>",
                    x(tick),
                    frame.top,
                    frame.bottom()
                );
                let at = (x(tick), frame.bottom() + 16.0);
                text(out, at, "middle", "font-size=\"11\"", &tick.to_string());
            }
        }
        decade = decade.saturating_mul(10);
    }
    for (number, one) in series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let mut path = String::new();
        for (position, (value, share)) in at_least(&one.values).into_iter().enumerate() {
            let _ = match position {
                0 => write!(path, "M{:.1} {:.1}H{:.1}", frame.left, y(share), x(value)),
                _ => write!(path, "V{:.1}H{:.1}", y(share), x(value)),
            };
        }
        if !path.is_empty() {
            let _ = writeln!(
                out,
                "<path d=\"{path}V{:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                frame.bottom()
            );
        }
        let (left, top) = (
            frame.right() - 250.0,
            frame.top + 18.0 + number as f64 * 22.0,
        );
        let _ = writeln!(
            out,
            "<path d=\"M{left:.1} {:.1}h24\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            top - 4.0
        );
        let words = match statistics(&one.values) {
            Some((median, mean)) => format!("{}: median {median}, mean {mean:.1}", one.name),
            None => format!("{}: no commit", one.name),
        };
        text(out, (left + 32.0, top), "start", "", &words);
    }
    let names: Vec<&str> = series.iter().map(|one| one.name.as_str()).collect();
    frame.axes(out, &format!("{} (logarithmic)", names.join(", ")), "share");
}

/// For each value that occurs, ascending, the share of values that are not below it.
fn at_least(values: &[u64]) -> Vec<(u64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let mut steps: Vec<(u64, f64)> = Vec::new();
    for (position, &value) in sorted.iter().enumerate() {
        if steps.last().is_none_or(|&(last, _)| last != value) {
            let share = (sorted.len() - position) as f64 / sorted.len() as f64;
            steps.push((value, share));
        }
    }
    steps
}

/// Median (the lower of two in the middle) and mean.
fn statistics(values: &[u64]) -> Option<(u64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let median = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
    Some((
        median,
        sorted.iter().sum::<u64>() as f64 / sorted.len() as f64,
    ))
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, more: &str, words: &str) {
    if words.is_empty() {
        return;
    }
    let more = match more {
        "" => String::new(),
        more => format!(" {more}"),
    };
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{more}>{}</text>",
        escaped(words)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_double_and_cover_every_value() {
        let labels = |values: &[u64]| {
            let classes = classes(values);
            classes
                .iter()
                .map(|class| class.label())
                .collect::<Vec<_>>()
        };
        assert_eq!(labels(&[1]), ["1"]);
        assert_eq!(labels(&[9, 0]), ["0", "1", "2", "3–4", "5–8", "9–16"]);
        assert_eq!(labels(&[8]), ["1", "2", "3–4", "5–8"]);
        assert_eq!(labels(&[]), ["1"]);
    }

    #[test]
    fn shares_begin_with_all() {
        assert_eq!(at_least(&[2, 1, 1, 8]), [(1, 1.0), (2, 0.5), (8, 0.25)]);
        assert_eq!(at_least(&[]), []);
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([1, 7, 30, 31, 100].map(round_step), [1, 2, 5, 10, 20]);
    }

    #[test]
    fn a_picture_of_nothing_is_still_one() {
        let empty = Series {
            name: "CyCC".to_owned(),
            meaning: "a < b".to_owned(),
            values: Vec::new(),
        };
        let picture = distribution("none & nothing", "", &[empty]);
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("none &amp; nothing") && picture.contains("a &lt; b"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }
}
