//! The check that a page is below the location of the sitemap.

use url::Url;

use crate::value::location::Location;
use crate::violation::{Rule, Violation, case};

/// The location of a file, which decides which pages it may list.
#[derive(Debug)]
pub(super) struct LocationCheck(Location);

impl LocationCheck {
    pub(super) fn new(location: &Location) -> Option<Self> {
        location.is_known().then(|| Self(location.clone()))
    }

    /// Checks that the location of the file can contain this URL.
    pub(super) fn check(&self, loc: &Url) -> Result<(), Violation> {
        if self.0.holds(loc) {
            return Ok(());
        }
        if !loc.username().is_empty() || loc.password().is_some() {
            let violation = Violation::with_detail(Rule::OutsideLocation, loc.as_str(), case::USER);
            return Err(violation);
        }
        match self.0.violation(loc, loc.as_str()) {
            Some(violation) => Err(violation),
            None => Ok(()),
        }
    }
}
