//! How much of the input space is settled, in words and for machines.

use compare::report::{SearchReport, ShareMethod, ShareReport};
use compare::search::partitions::Counts;
use serde_json::{Value, json};

/// Partitions by what is known, and what is open besides them.
pub(crate) fn by_partition(search: &SearchReport, counts: &Counts) -> [u64; 3] {
    let gaps: u64 = search.gaps.iter().map(|gap| gap.times).sum();
    [
        counts.equal() + search.pruned.ways(),
        counts.different,
        counts.unknown + counts.both_undefined + gaps + search.open_flips,
    ]
}

pub(crate) fn shares(counts: [u64; 3]) -> [f64; 3] {
    let all: u64 = counts.iter().sum();
    counts.map(|count| count as f64 / all.max(1) as f64)
}

/// One line, or two with `by_ways`; none if there is nothing to add to the verdict.
/// With `leaves_out`, some inputs of the space are not meant.
pub(crate) fn text(
    search: &SearchReport,
    counts: &Counts,
    leaves_out: bool,
    by_ways: bool,
) -> String {
    let numbers = by_partition(search, counts);
    let [equal, different, open] = shares(numbers).map(|share| format!("{:.1}%", 100.0 * share));
    let those_left_out = match leaves_out {
        true => ", those of arguments that are left out included",
        false => "",
    };
    let by_partition = match by_ways {
        true => format!(
            "  of all partitions and open ways{those_left_out}: {equal} equal, {different} different, {open} open\n"
        ),
        false => String::new(),
    };
    let Some(settled) = &search.settled else {
        return match leaves_out && search.paths > 0 {
            true => format!(
                "settled: the share is not known, since no random input is within the bounds\n{by_partition}"
            ),
            false => String::new(),
        };
    };
    let how = match settled.method {
        ShareMethod::Complete => return String::new(),
        ShareMethod::Counted => "counted".to_owned(),
        ShareMethod::Sampled(inputs) => format!(
            "sampled: {inputs} inputs, ±{:.1}% at 95%",
            (1000.0 * settled.uncertainty).ceil() / 10.0
        ),
    };
    let words = [settled.equal, settled.different, settled.open];
    let rest = match search.exhausted && counts.unknown == 0 && counts.both_undefined > 0 {
        true => "undefined in both",
        false => "open",
    };
    let all: u64 = numbers.iter().sum();
    let words: Vec<String> = (words.iter().zip(numbers))
        .map(|(share, partitions)| percent(share, partitions, all))
        .collect();
    format!(
        "settled: {} of the inputs within the bounds equal, {} different, {} {rest} ({how})\n{by_partition}",
        words[0], words[1], words[2]
    )
}

/// A share of inputs; never all or nothing where that is not so. `partitions` is how many of `all` there are.
fn percent(share: &ShareReport, partitions: u64, all: u64) -> String {
    if partitions == 0 {
        return "0%".to_owned();
    }
    let (low, high) = share.interval;
    match share.share {
        // Others may be too small for the sum.
        whole if whole > 0.9995 && (low < 1.0 || partitions < all) => {
            let low = (1000.0 * low).floor() / 10.0;
            format!("more than {:.1}%", low.min(99.9))
        }
        whole if whole > 0.9995 => "100%".to_owned(),
        small if small < 0.0005 => {
            let high = (1000.0 * high).ceil() / 10.0;
            format!("less than {:.1}%", high.max(0.1))
        }
        share => format!("{:.1}%", 100.0 * share),
    }
}

pub(crate) fn json(search: Option<&SearchReport>, counts: &Counts) -> Value {
    let Some((search, settled)) =
        search.and_then(|search| Some((search, search.settled.as_ref()?)))
    else {
        return Value::Null;
    };
    let three = |of: [f64; 3]| json!({"equal": of[0], "different": of[1], "open": of[2]});
    let interval = match settled.method {
        ShareMethod::Complete | ShareMethod::Counted => Value::Null,
        ShareMethod::Sampled(inputs) => {
            let [equal, different, open] = [settled.equal, settled.different, settled.open]
                .map(|share| json!([share.interval.0, share.interval.1]));
            json!({
                "confidence": 0.95, "inputs": inputs,
                "equal": equal, "different": different, "open": open,
            })
        }
    };
    json!({
        "method": method(settled.method),
        "equal": settled.equal.share,
        "different": settled.different.share,
        "open": settled.open.share,
        "interval": interval,
        "by_partition": three(shares(by_partition(search, counts))),
    })
}

fn method(method: ShareMethod) -> &'static str {
    match method {
        ShareMethod::Complete => "complete",
        ShareMethod::Counted => "counted",
        ShareMethod::Sampled(_) => "sampled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_never_all_or_nothing_where_that_is_not_so() {
        let percent = |share: f64, interval| percent(&ShareReport { share, interval }, 1, 1);
        assert_eq!(percent(0.9372, (0.93, 0.94)), "93.7%");
        assert_eq!(percent(1.0, (0.9998, 1.0)), "more than 99.9%");
        assert_eq!(percent(1.0, (0.97, 1.0)), "more than 97.0%");
        assert_eq!(percent(0.99999, (0.99999, 0.99999)), "more than 99.9%");
        assert_eq!(percent(1.0, (1.0, 1.0)), "100%");
        assert_eq!(percent(0.0, (0.0, 0.0002)), "less than 0.1%");
        assert_eq!(percent(0.0, (0.0, 0.031)), "less than 3.1%");
        let none = ShareReport {
            share: 0.0,
            interval: (0.0, 0.01),
        };
        assert_eq!(super::percent(&none, 0, 1), "0%");
        let nearly_all = ShareReport {
            share: 1.0,
            interval: (1.0, 1.0),
        };
        assert_eq!(super::percent(&nearly_all, 1, 2), "more than 99.9%");
    }
}
