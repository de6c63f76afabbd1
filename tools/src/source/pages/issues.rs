//! A summary of a file's issues.

use quick_sitemap::{Effect, Issue, Rule};

use crate::rows::Refused;
use crate::term::count::{Count, Grouped};
use crate::term::messages::Messages;

/// The issues of one file, counted by rule and effect.
#[derive(Debug, Default)]
pub(super) struct Issues {
    /// In the order of their first occurrence.
    costly: Vec<Kind>,
    noted: u64,
}

#[derive(Debug)]
struct Kind {
    rule: Rule,
    effect: Effect,
    count: u64,
    first: Issue,
}

impl Issues {
    /// Counts issues. Those that cost something are kept by rule, with the first of each.
    pub(super) fn count(&mut self, issues: &[Issue]) {
        for issue in issues {
            if issue.effect == Effect::Noted {
                self.noted += 1;
                continue;
            }
            let is_it = |kind: &&mut Kind| kind.rule == issue.rule() && kind.effect == issue.effect;
            match self.costly.iter_mut().find(is_it) {
                Some(kind) => kind.count += 1,
                None => self.costly.push(Kind {
                    rule: issue.rule(),
                    effect: issue.effect,
                    count: 1,
                    first: issue.clone(),
                }),
            }
        }
    }

    /// Prints the issues that cost something, and the number of all others.
    pub(super) fn print(&self, file: &str, messages: &Messages) {
        for kind in &self.costly {
            let more = match kind.count {
                1 => String::new(),
                count => format!(" ({} more of {})", Grouped(count - 1), kind.rule),
            };
            messages.warning(format_args!("{file}:{}{more}", kind.first));
        }
        if self.noted > 0 {
            let faults = Count(self.noted, "fault");
            let cost = if self.noted == 1 { "costs" } else { "cost" };
            messages.note(format_args!(
                "{file}: {faults} that {cost} nothing; `sitemap check` shows them"
            ));
        }
    }
}

/// The rows of a list that are not entries, counted by rule.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    /// In the order of their first occurrence, each with its line and message.
    rules: Vec<(Option<Rule>, u64, String)>,
}

impl Refusals {
    pub(super) fn count(&mut self, line: u64, refused: Refused) {
        match self
            .rules
            .iter_mut()
            .find(|(rule, ..)| *rule == refused.rule)
        {
            Some((_, count, _)) => *count += 1,
            None => {
                let first = format!("{line}: {}", refused.why);
                self.rules.push((refused.rule, 1, first));
            }
        }
    }

    pub(super) fn print(&self, name: &str, messages: &Messages) {
        for (_, count, first) in &self.rules {
            let more = match count {
                1 => String::new(),
                count => format!(" ({} more like it)", Grouped(count - 1)),
            };
            messages.warning(format_args!("{name}:{first}; page skipped{more}"));
        }
    }
}
