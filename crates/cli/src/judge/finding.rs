//! A finding.

use quick_sitemap::{Effect, Error, ErrorKind, Format, Issue, Position};

use super::excerpt::Excerpt;
use super::rules::{FindingRule, find, of, rule};
use super::verdicts::severity;
use crate::source::span::MarkedLine;
use crate::term::address::without_logins;
use crate::term::messages::Severity;

/// Characters of the URL of a page that are kept: what is longer is not a URL that a sitemap may have.
const LONGEST_PAGE: usize = 2_048;

/// One problem to report.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) position: Option<Position>,
    pub(crate) severity: Severity,
    pub(crate) rule: &'static FindingRule,
    /// Without what it costs, and without users and passwords of URLs.
    pub(crate) message: String,
    pub(crate) effect: Option<Effect>,
    pub(crate) issue: Option<Issue>,
    /// An XML parser stops there.
    pub(crate) not_well_formed: bool,
    /// The line that it is on, if it is known and not that of the issue.
    pub(crate) line: Option<MarkedLine>,
    /// URL of the page or the part that it is about, as it is written in the file.
    pub(crate) page: Option<String>,
    /// The element of the entry, as it is written: `lastmod`, `image:loc`.
    pub(crate) element: Option<Box<str>>,
    /// The format of the sitemap.
    pub(crate) format: Option<&'static str>,
    /// Whether there is a problem is not known.
    pub(crate) is_unknown: bool,
    /// Pages that a search engine does not see because of it, if it hides more than one entry.
    pub(crate) hidden: u64,
}

impl Finding {
    /// A finding without a place, with the severity of its rule.
    pub(crate) fn new(rule: &'static FindingRule, message: &str) -> Self {
        Self {
            position: None,
            severity: rule.severity,
            rule,
            message: without_logins(message).into_owned(),
            effect: None,
            issue: None,
            not_well_formed: false,
            line: None,
            page: None,
            element: None,
            format: None,
            is_unknown: false,
            hidden: 0,
        }
    }

    /// A finding about the element of that name.
    pub(crate) fn of(element: &str, rule: &'static FindingRule, message: &str) -> Self {
        Self {
            element: Some(element.into()),
            ..Self::new(rule, message)
        }
    }

    /// The finding, at this place.
    pub(crate) fn at(mut self, position: impl Into<Option<Position>>) -> Self {
        self.position = position.into();
        self
    }

    /// The finding, as a warning.
    pub(crate) fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// The finding, about this page or part.
    pub(crate) fn on_page(mut self, page: &str) -> Self {
        let end = page.char_indices().nth(LONGEST_PAGE);
        let page = end.map_or(page, |(end, _)| page.get(..end).unwrap_or_default());
        self.page = Some(without_logins(page.trim()).into_owned());
        self
    }

    /// The finding, about the entry that starts there, unless it is about the markup before it.
    pub(crate) fn about_entry(self, start: Position, loc: &str) -> Self {
        if self.position.is_some_and(|at| at.byte() >= start.byte()) {
            self.on_page(loc)
        } else {
            self
        }
    }

    pub(crate) fn issue(issue: &Issue) -> Self {
        Self {
            position: Some(issue.position),
            severity: severity(issue),
            effect: Some(issue.effect),
            issue: Some(issue.clone()),
            ..Self::new(of(issue.rule()), &issue.violation.to_string())
        }
    }

    /// The error that ended the reading of a document of this format. A text cannot break XML.
    pub(crate) fn error(error: &Error, format: Option<Format>) -> Self {
        let is_text = matches!(format, None | Some(Format::Text));
        let message = format!("{error:#}");
        // The position has a column of its own.
        let position = error.position().map(|position| format!("{position}: "));
        let message = position.map_or(&*message, |at| {
            message.strip_prefix(&at).unwrap_or(&message)
        });
        let line = error.excerpt();
        let rule = find(error.kind().name()).unwrap_or(rule!("internal"));
        Self {
            position: error.position(),
            line: line.map(|(line, span)| (line.to_owned(), span)),
            not_well_formed: matches!(error.kind(), ErrorKind::Truncated) && !is_text,
            severity: Severity::Error,
            ..Self::new(rule, message)
        }
    }

    /// A file that could not even be opened, or a list whose header cannot be used.
    pub(crate) fn unopened(name: &str, error: &anyhow::Error) -> Self {
        let message = format!("{error:#}");
        let rest = message
            .strip_prefix(name)
            .map(|rest| rest.strip_prefix(":1").unwrap_or(rest));
        let rest = rest.and_then(|rest| rest.strip_prefix(": "));
        Self::new(rule!("io"), rest.unwrap_or(&message))
    }

    /// The message, followed by the loss.
    pub(crate) fn message_and_cost(&self) -> String {
        match cost(self.effect) {
            Some(cost) => format!("{}; {cost}", self.message),
            None => self.message.clone(),
        }
    }

    /// The line of the finding or of its issue.
    pub(crate) fn excerpt_line(&self) -> Option<MarkedLine> {
        let of_issue = || {
            let (line, span) = self.issue.as_ref()?.excerpt()?;
            Some((line.to_owned(), span))
        };
        self.line.clone().or_else(of_issue)
    }

    /// The line that it is on, if it is known.
    pub(crate) fn excerpt(&self) -> Option<Excerpt> {
        let (text, span) = self.excerpt_line()?;
        Some(Excerpt::new(&text, span))
    }
}

/// The loss because of a finding, as it is printed at the place; `None` if there is no loss.
pub(crate) fn cost(effect: Option<Effect>) -> Option<String> {
    match effect {
        None | Some(Effect::Noted) => None,
        Some(effect) => Some(effect.to_string()),
    }
}
