//! How times and lengths are written, on the command line and in the project file.

use std::ops::RangeInclusive;
use std::time::Duration;

/// `30s`, `5m`, `1h`, `250ms`, or a number of seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let wrong = || format!("`{text}` is not a time; write it as 30s, 5m, 1h or 250ms");
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| wrong())
}

/// What stands for no limit: more than a lifetime.
const NO_LIMIT: Duration = Duration::from_secs(1 << 32);

/// The most time that something may take; 0 is no limit.
pub(super) fn time_limit(text: &str) -> Result<Duration, String> {
    Ok(match duration(text)? {
        Duration::ZERO => NO_LIMIT,
        // Moments that far away cannot be told.
        time => time.min(NO_LIMIT),
    })
}

/// A duration that is not none.
pub(super) fn some_time(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err(format!(
            "in `{text}` nothing can be done; give at least 1ms"
        )),
        time => Ok(time),
    }
}

/// `8`, or `0..8`.
pub(super) fn lengths(text: &str) -> Result<RangeInclusive<usize>, String> {
    let wrong = || format!("`{text}` is not a length; write a number of bytes, or a range as 0..8");
    let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
    match text.split_once("..") {
        Some((low, high)) => {
            let range = number(low)?..=number(high.strip_prefix('=').unwrap_or(high))?;
            if range.is_empty() {
                return Err(format!(
                    "the range `{text}` is empty; the smaller number comes first"
                ));
            }
            Ok(range)
        }
        None => number(text).map(|length| length..=length),
    }
}
