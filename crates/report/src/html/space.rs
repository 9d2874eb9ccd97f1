//! Pictures of the input space: a treemap of what is known of its parts, and a plane over two inputs.

use compare::Report;
use compare::search::partitions::PartitionStatus;
use serde::Serialize;

use super::plane::{Region, region};
use super::treemap::{Rectangle, treemap};
use super::{method, percent};
use crate::excerpt;
use crate::partitions::shortened;
use crate::settled::{by_partition, shares as shares_of};

/// Smaller parts of the space are drawn this large, so that nothing that differs is invisible.
const LEAST: f64 = 0.02;
/// The treemap's sides, for the shapes of its rectangles.
const WHOLE: Rectangle = Rectangle {
    x: 0.0,
    y: 0.0,
    width: 3.0,
    height: 1.0,
};

/// Whether the shares of the input space are known.
pub(super) fn is_by_share(report: &Report) -> bool {
    report
        .search
        .as_ref()
        .is_some_and(|search| search.settled.is_some())
}

/// How much is equal, different and open, and of what.
pub(super) fn shares(report: &Report) -> ([f64; 3], String) {
    let Some(search) = &report.search else {
        return (
            [1.0, 0.0, 0.0],
            "of all inputs; nothing had to be run".to_owned(),
        );
    };
    match &search.settled {
        Some(settled) => (
            [
                settled.equal.share,
                settled.different.share,
                settled.open.share,
            ],
            method(settled.method, settled.uncertainty),
        ),
        None => (
            shares_of(by_partition(search, &report.partitions.counts)),
            "of the partitions and open ways; shares of the inputs are not known".to_owned(),
        ),
    }
}

/// A rectangle of the treemap, in percent.
#[derive(Serialize)]
pub(super) struct Cell {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    kind: &'static str,
    /// The partition that it stands for; nothing for those that are not listed.
    partition: Option<usize>,
    text: String,
}

/// The three parts by their share; in each, its partitions by number.
pub(super) fn cells(report: &Report) -> Vec<Cell> {
    if report.search.is_none() {
        return Vec::new();
    }
    let (shares, _) = shares(report);
    let kinds = ["equal", "different", "open"];
    let parts: Vec<(&'static str, f64)> = kinds
        .into_iter()
        .zip(shares)
        .filter(|(kind, share)| *share > 0.0 || listed(report, kind) > 0)
        .collect();
    let weights: Vec<f64> = parts.iter().map(|(_, share)| share.max(LEAST)).collect();
    let placed = treemap(&weights, WHOLE);
    let mut cells = Vec::new();
    for ((kind, share), whole) in parts.into_iter().zip(placed) {
        cells.extend(inner(report, kind, share, whole));
    }
    cells
}

fn kind_of(known: &PartitionStatus) -> &'static str {
    match known {
        PartitionStatus::Equal(_) => "equal",
        PartitionStatus::Different => "different",
        PartitionStatus::Unknown(_) => "open",
    }
}

fn listed(report: &Report, kind: &str) -> u64 {
    let entries = report.partitions.entries.iter();
    let own = entries.filter(|entry| kind_of(&entry.known) == kind);
    own.map(|entry| entry.count).sum()
}

fn inner(report: &Report, kind: &'static str, share: f64, whole: Rectangle) -> Vec<Cell> {
    let counts = &report.partitions.counts;
    let all = match kind {
        "equal" => counts.equal(),
        "different" => counts.different,
        _ => counts.unknown,
    };
    let entries = report.partitions.entries.iter().enumerate();
    let own = entries.filter(|(_, entry)| kind_of(&entry.known) == kind);
    let mut parts: Vec<(f64, Option<usize>, String)> = own
        .map(|(number, entry)| {
            let condition = excerpt::words(&shortened(&entry.condition), 300);
            (
                entry.count as f64,
                Some(number + 1),
                format!("partition {}, {kind}: {condition}", number + 1),
            )
        })
        .collect();
    let unlisted = all.saturating_sub(listed(report, kind));
    if unlisted > 0 || parts.is_empty() {
        let text = match (kind, unlisted) {
            ("open", 0) => format!(
                "ways that were not explored: {} of the inputs",
                percent(share)
            ),
            (_, 0) => format!("{kind}, without a partition of its own"),
            (_, more) => format!("{more} more partitions, {kind}; they are counted, not listed"),
        };
        parts.push((unlisted.max(1) as f64, None, text));
    }
    let weights: Vec<f64> = parts.iter().map(|part| part.0).collect();
    let placed = treemap(&weights, whole);
    let cells = parts.into_iter().zip(placed);
    let percent_of = |part: f64, of: f64| (10_000.0 * part / of).round() / 100.0;
    cells
        .map(|((_, partition, text), place)| Cell {
            x: percent_of(place.x, WHOLE.width),
            y: percent_of(place.y, WHOLE.height),
            width: percent_of(place.width, WHOLE.width),
            height: percent_of(place.height, WHOLE.height),
            kind,
            partition,
            text,
        })
        .collect()
}

/// What the plane is drawn from.
#[derive(Serialize)]
pub(super) struct PlaneData {
    regions: Vec<PlaneRegion>,
    /// Listed partitions that are not drawn.
    not_drawn: usize,
    /// Examples of differences: inputs with their values.
    unlisted: u64,
}

#[derive(Serialize)]
struct PlaneRegion {
    partition: usize,
    kind: &'static str,
    #[serde(flatten)]
    region: Region,
}

/// The partitions whose conditions are about single inputs.
pub(super) fn plane(report: &Report) -> PlaneData {
    let entries = report.partitions.entries.iter().enumerate();
    let regions: Vec<PlaneRegion> = entries
        .filter_map(|(number, entry)| {
            Some(PlaneRegion {
                partition: number + 1,
                kind: kind_of(&entry.known),
                region: region(&entry.condition)?,
            })
        })
        .collect();
    let all = report.partitions.entries.len();
    let listed: u64 = report
        .partitions
        .entries
        .iter()
        .map(|entry| entry.count)
        .sum();
    PlaneData {
        not_drawn: all - regions.len(),
        regions,
        unlisted: report.partitions.counts.all().saturating_sub(listed),
    }
}
