//! Problems of one input: on standard error, and in the exit status.

use quick_sitemap::{Effect, Error, Issue, Policy, Rule};

use crate::judge::verdicts;
use crate::rows::Refused;
use crate::term::count::Count;
use crate::term::messages::{Messages, Severity};
use crate::term::status::Status;

/// Problems of one input: on standard error, and in the exit status.
pub(super) struct Faults<'a> {
    pub(super) name: &'a str,
    pub(super) messages: &'a Messages,
    pub(super) says_all: bool,
    pub(super) policy: Policy,
    pub(super) issues: u64,
    pub(super) status: Status,
}

impl Faults<'_> {
    /// Counts issues, and prints them if all are to be shown.
    pub(super) fn issues(&mut self, issues: &[Issue]) {
        for issue in issues {
            self.issues += 1;
            self.status = self.status.max(Status::Findings);
            if !self.says_all {
                continue;
            }
            let severity = if self.policy.denies(issue.rule()) {
                Severity::Error
            } else {
                verdicts::severity(issue)
            };
            let place = format!("{}:{}", self.name, issue.position);
            let rule = issue.rule();
            match issue.effect {
                Effect::Noted => {
                    let message = format_args!("{} [{rule}]", issue.violation);
                    self.messages.at(&place, severity, message);
                }
                effect => {
                    let message = format_args!("{}; {effect} [{rule}]", issue.violation);
                    self.messages.at(&place, severity, message);
                }
            }
        }
    }

    /// A row that is not an entry.
    pub(super) fn refused(&mut self, line: u64, refused: &Refused) {
        self.issues += 1;
        self.status = self.status.max(Status::Findings);
        if self.says_all {
            let place = format!("{}:{line}", self.name);
            let rule = refused.rule.map_or("invalid-row", Rule::name);
            let message = format_args!("{}; entry skipped [{rule}]", refused.why);
            self.messages.at(&place, Severity::Error, message);
        }
    }

    /// A list that cannot be read any further.
    pub(super) fn unreadable(&mut self, message: &str) {
        self.status = Status::Failure;
        self.messages.error(message);
    }

    /// Counts an error, and prints it. An error that ends the document is always printed.
    pub(super) fn error(&mut self, error: &Error) {
        self.status = self.status.max(match error.violation() {
            Some(_) => Status::Findings,
            None => Status::Failure,
        });
        if error.violation().is_some() {
            self.issues += 1;
            if !self.says_all {
                return;
            }
        }
        let place = match error.position() {
            Some(position) => format!("{}:{position}", self.name),
            None => self.name.to_owned(),
        };
        let kind = error.kind();
        let message = format_args!("{kind:#} [{}]", kind.name());
        self.messages.at(&place, Severity::Error, message);
    }

    pub(super) fn finish(&self, skipped: u64) {
        if self.issues > 0 && !self.says_all {
            let issues = Count(self.issues, "issue");
            let skipped = match skipped {
                0 => String::new(),
                skipped => format!(", {} skipped", Count(skipped, "entry")),
            };
            let advice = match self.name {
                "<stdin>" => "`--issues` lists them".to_owned(),
                name => format!("use `sitemap check {name}` to show them"),
            };
            let message = format_args!("{issues}{skipped}; {advice}");
            self.messages.at(self.name, Severity::Warning, message);
        }
    }
}
