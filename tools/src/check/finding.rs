//! What was found.

use quick_sitemap::{Effect, Error, Issue, Position};

use super::advice::Advice;
use crate::messages::Severity;

/// One thing to say.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) position: Option<Position>,
    /// Bytes from there on that are meant.
    pub(crate) len: u64,
    pub(crate) severity: Severity,
    pub(crate) rule: &'static str,
    /// Without what it costs.
    pub(crate) message: String,
    pub(crate) effect: Option<Effect>,
    pub(crate) issue: Option<Issue>,
}

impl Finding {
    pub(crate) fn issue(issue: &Issue, severity: Severity) -> Self {
        let span = issue.span();
        Self {
            position: Some(issue.position),
            len: span.end.saturating_sub(span.start),
            severity,
            rule: issue.rule().name(),
            message: issue.violation.to_string(),
            effect: Some(issue.effect),
            issue: Some(issue.clone()),
        }
    }

    pub(crate) fn advice(advice: Advice, severity: Severity) -> Self {
        Self {
            position: Some(advice.place.position),
            len: advice.place.len,
            severity,
            rule: advice.rule,
            message: advice.message,
            effect: None,
            issue: None,
        }
    }

    /// What ended the reading.
    pub(crate) fn error(error: &Error) -> Self {
        Self {
            position: error.position(),
            len: 0,
            severity: Severity::Error,
            rule: error.kind().name(),
            message: match error.unclosed() {
                Some(unclosed) => format!("{:#}: {unclosed}", error.kind()),
                None => format!("{:#}", error.kind()),
            },
            effect: None,
            issue: None,
        }
    }

    /// What could not even be opened.
    pub(crate) fn unopened(name: &str, error: &anyhow::Error) -> Self {
        let message = format!("{error:#}");
        let message = match message
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(": "))
        {
            Some(message) => message.to_owned(),
            None => message,
        };
        Self {
            position: None,
            len: 0,
            severity: Severity::Error,
            rule: "io",
            message,
            effect: None,
            issue: None,
        }
    }
}

/// What a finding cost, as it stands beside the place; nothing if that is nothing.
pub(crate) fn cost(effect: Option<Effect>) -> Option<String> {
    match effect {
        None | Some(Effect::Noted) => None,
        Some(effect) => Some(effect.to_string()),
    }
}
