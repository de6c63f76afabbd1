//! Pages that wait for their requests, and those that have results.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::disk::spool::Spool;
use crate::net::pool::Pool;
use crate::probe::ask::Asker;
use crate::probe::found::{Found, Listed};
use crate::probe::judge::judge_way;
use crate::probe::report::Report;
use crate::probe::results::Results;
use crate::probe::selection::Known;
use crate::term::address::shown;
use crate::term::clipped::clipped;
use crate::term::count::{Count, First};
use crate::term::progress::{self, Progress};
use crate::term::{interrupt, output};

/// Results that wait for the one of an earlier page, so that they are reported in the order of the input.
const AHEAD: usize = 10_000;

/// A selected page, with its result from the file of `--resume` if that is still true.
#[derive(Serialize, Deserialize)]
struct Queued {
    page: Listed,
    kept: Option<Found>,
}

/// The selected pages. The results of `--resume` that are no longer true are removed from the file. Returns the number of
/// the others, too.
pub(crate) fn of(
    selected: impl Iterator<Item = anyhow::Result<Listed>>,
    asker: &Asker,
    mut results: Option<&mut Results>,
) -> anyhow::Result<(Spool, u64)> {
    let (mut queue, mut again, mut length) = (Spool::new()?, Known::default(), 0);
    let mut contradicted = First::default();
    for page in selected {
        let page = page?;
        if let Some(why) = page.contradiction().filter(|_| contradicted.names()) {
            let page = shown(page.url.as_str());
            let page = clipped(&page);
            asker.messages.warning(format_args!("{page}: {why}"));
        }
        let earlier = results
            .as_mut()
            .map(|results| results.find(page.url.as_str()));
        let earlier = earlier.transpose()?.flatten();
        let is_known = earlier.is_some();
        let kept = earlier.filter(|found| asker.accepts(&page, found));
        match kept {
            None if is_known => drop(again.add(page.url.as_str())),
            _ => length += u64::from(kept.is_some()),
        }
        queue.push(&Queued { page, kept })?;
    }
    if contradicted.more() > 0 {
        let more = Count(contradicted.more(), "more page");
        let warning = format_args!("two pages are expected of {more}, too");
        asker.messages.warning(warning);
    }
    if let Some(results) = results.filter(|_| !again.is_empty()) {
        results.forget(&again)?;
    }
    Ok((queue, length))
}

/// Requests the pages of the queue that have no results, keeps their results, and reports all of them in the order of the
/// queue.
pub(crate) fn request_all(
    asker: &Arc<Asker>,
    (queue, kept): (Spool, u64),
    jobs: usize,
    sample_of: Option<u64>,
    mut results: Option<Results>,
    report: &mut Report,
) -> anyhow::Result<()> {
    progress::count_to(queue.length - kept);
    if let Some(all) = sample_of {
        asker.messages.note(format_args!(
            "this is a sample of {}: the same number of each sitemap, so its shares are not those of all pages",
            Count(all, "page")
        ));
    }
    let _progress = Progress::start("probing", &asker.messages);
    let (mut pool, mut queue) = (Pool::new(), queue.read::<Queued>()?.zip(0_u64..).fuse());
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    // The program does not wait for the network if it is interrupted, or if the reader of the output has ended.
    while !output::is_closed() && !interrupt::is_requested() {
        while pool.at_work < jobs
            && waiting.len() < AHEAD
            && let Some((queued, place)) = queue.next()
        {
            let Queued { page, kept } = queued?;
            if let Some(found) = kept {
                waiting.insert(place, found);
            } else {
                let asker = Arc::clone(asker);
                pool.start(move || (place, asker.ask(page)))?;
            }
        }
        if pool.at_work == 0 && waiting.is_empty() {
            break;
        }
        if pool.at_work > 0
            && let Some((_, (place, Some(mut found)))) = pool.wait()?
        {
            progress::entry();
            found.listed = asker.lists(&found);
            judge_way(asker.must_be_listed, &mut found);
            found.sample_of = sample_of;
            if let Some(results) = &mut results {
                results.add(&found)?;
            }
            waiting.insert(place, found);
        }
        while let Some(found) = waiting.remove(&next) {
            report.add(found)?;
            next += 1;
        }
    }
    // After an interruption, there are results after pages that were not requested.
    for (queued, place) in queue {
        waiting.extend(queued?.kept.map(|found| (place, found)));
    }
    waiting
        .into_values()
        .try_for_each(|found| report.add(found))
}
