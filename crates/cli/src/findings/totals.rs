//! The totals of a run, which are printed with the findings or with their summary.

use std::fmt;

use super::checker::Checked;
use crate::source::account::Asked;
use crate::term::count::Count;
use crate::term::status::Status;

/// Totals of a run, which are printed with the summary.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    /// `3 sitemaps, 120 entries`
    pub(super) read: String,
    /// `1 error, 2 warnings`
    pub(super) found: String,
}

impl Totals {
    /// `known` are the numbers of the baseline, if there is one.
    pub(crate) fn of(checked: &Checked, known: Option<String>) -> Self {
        let found = checked.tally.totals();
        let account = &checked.account;
        let is_part = account.has_more || account.broken > 0;
        let mut found = match found.as_slice() {
            [] if known.is_some() && checked.status() == Status::Success => {
                "no new problems found".to_owned()
            }
            [] if is_part || account.opened() == 0 => "not everything could be read".to_owned(),
            [] => "no problems found".to_owned(),
            found => found.join(", "),
        };
        if checked.allowed > 0 {
            let allowed = Count(checked.allowed, "finding");
            found.push_str(&format!(", apart from {allowed} that --allow hides"));
        }
        if let Some(known) = known {
            found = format!("{found}; {known}");
        }
        if let Some(limits) = account.asked().ok().as_ref().and_then(Asked::limits) {
            found = format!("{found}; {limits}");
        }
        let entries = Count(checked.entries, "entry");
        Self {
            read: format!("{}, {entries}", Count(account.read, "sitemap")),
            found,
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.read, self.found)
    }
}
