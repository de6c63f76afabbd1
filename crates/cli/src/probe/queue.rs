//! Pages that wait for their requests, and those that have results.

use std::sync::Arc;

use crate::disk::spool::Spool;
use crate::probe::ask::{Asker, request};
use crate::probe::found::Listed;
use crate::probe::report::Report;
use crate::probe::results::Results;
use crate::probe::selection::Known;
use crate::term::count::Count;
use crate::term::progress::{self, Progress};

/// The selected pages without those of `--resume` whose results are still true, which are reported. The results of the others
/// are removed from the file.
pub(crate) fn of(
    selected: impl Iterator<Item = anyhow::Result<Listed>>,
    asker: &Asker,
    mut results: Option<&mut Results>,
    report: &mut Report,
) -> anyhow::Result<Spool> {
    let (mut queue, mut again) = (Spool::new()?, Known::default());
    for page in selected {
        let page = page?;
        let earlier = results
            .as_mut()
            .map(|results| results.find(page.url.as_str()));
        match earlier.transpose()?.flatten() {
            Some(found) if asker.accepts(&page, &found) => report.add(found)?,
            earlier => {
                if earlier.is_some() {
                    again.add(page.url.as_str());
                }
                queue.push(&page)?;
            }
        }
    }
    if let Some(results) = results.filter(|_| !again.is_empty()) {
        results.forget(&again)?;
    }
    Ok(queue)
}

/// Requests the pages of the queue, and keeps and reports their results.
pub(crate) fn request_all(
    asker: &Arc<Asker>,
    queue: Spool,
    jobs: usize,
    sample_of: Option<u64>,
    mut results: Option<Results>,
    report: &mut Report,
) -> anyhow::Result<()> {
    progress::count_to(queue.length);
    if let Some(all) = sample_of {
        asker.messages.note(format_args!(
            "this is a sample of {}: the same number of each sitemap, so its shares are not those of all pages",
            Count(all, "page")
        ));
    }
    let _progress = Progress::start("probing", &asker.messages);
    request(asker, queue.read()?, jobs, &mut |mut found| {
        progress::entry();
        found.listed = asker.lists(&found);
        found.sample_of = sample_of;
        if let Some(results) = &mut results {
            results.add(&found)?;
        }
        report.add(found)
    })
}
