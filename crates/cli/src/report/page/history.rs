//! Lines over the runs of a history.

use crate::report::model::Run;
use crate::report::words::day;
use crate::term::count::Grouped;

#[derive(Debug)]
pub(super) struct Chart {
    pub(super) name: &'static str,
    /// The content of the chart, in words.
    pub(super) summary: String,
    pub(super) lines: Vec<Series>,
    pub(super) most: u64,
}

#[derive(Debug)]
pub(super) struct Series {
    pub(super) name: &'static str,
    /// The class that sets the colour.
    pub(super) class: &'static str,
    /// In a room of 1,000 by 100, from the top left.
    pub(super) points: String,
    /// The last one, in percent.
    pub(super) end: String,
    pub(super) last: u64,
}

/// A figure of a run.
type Figure = fn(&Run) -> u64;

/// Pages, and findings, over the runs. None for fewer than two runs, which make no line.
pub(super) fn charts(runs: &[Run]) -> Vec<Chart> {
    let (Some(first), Some(last), 2..) = (runs.first(), runs.last(), runs.len()) else {
        return Vec::new();
    };
    let over = format!(
        "{} runs from {} to {}",
        runs.len(),
        day(&first.made),
        day(&last.made)
    );
    let chart = |name, lines: &[(&'static str, &'static str, Figure)]| {
        let values = |of: Figure| runs.iter().map(of).collect::<Vec<u64>>();
        let all = lines.iter().flat_map(|line| values(line.2));
        let most = all.max().unwrap_or(0);
        let ends = lines.iter().map(|(name, _, of)| {
            let (first, last) = (Grouped(of(first)), Grouped(of(last)));
            format!("{name}: {first} at first, {last} at last")
        });
        let ends: Vec<_> = ends.collect();
        let lines = lines.iter();
        let lines = lines.map(|&(name, class, of)| line(name, class, &values(of), most));
        Chart {
            name,
            summary: format!("{over}. {}.", ends.join("; ")),
            lines: lines.collect(),
            most,
        }
    };
    vec![
        chart("Pages", &[("Pages", "pages", |run| run.totals.pages)]),
        chart(
            "Findings",
            &[
                ("Errors", "errors", |run| run.totals.errors),
                ("Warnings", "warnings", |run| run.totals.warnings),
            ],
        ),
    ]
}

/// A line of the diagram. Its coordinates fit a box of 1,000 by 100 units.
fn line(name: &'static str, class: &'static str, values: &[u64], most: u64) -> Series {
    let height = |value: u64| 96.0 - 84.0 * value as f64 / most.max(1) as f64;
    let step = 1_000.0 / (values.len().max(2) - 1) as f64;
    let points = values
        .iter()
        .enumerate()
        .map(|(index, &value)| format!("{:.1},{:.1}", index as f64 * step, height(value)));
    let last = values.last().copied().unwrap_or(0);
    Series {
        name,
        class,
        points: points.collect::<Vec<_>>().join(" "),
        end: format!("{:.1}", height(last)),
        last,
    }
}
