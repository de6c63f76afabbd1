use crate::error::{Error, ErrorKind};
use crate::input::Window;
use crate::limits::MAX_ISSUES;
use crate::violation::{Effect, Issue, Policy, Rule, RuleSet, Violation};

/// A violation that has not been judged yet; `at` counts from the start of the window's text.
#[derive(Debug)]
struct Flaw {
    at: usize,
    effect: Effect,
    violation: Violation,
}

/// Where every violation goes: collected as flaws while an entry is read, then settled in one place.
#[derive(Debug)]
pub(crate) struct Report {
    policy: Policy,
    flaws: Vec<Flaw>,
    /// Flaws of the item at hand beyond those kept, and the first of them that the policy denies, with its number
    /// among them.
    surplus: Omitted,
    surplus_denied: Option<(u64, Flaw)>,
    issues: Vec<Issue>,
    /// Issues of the item that the caller is waiting for; it may take several calls to complete.
    reported: usize,
    omitted: Omitted,
    first_omitted: Option<crate::position::Position>,
    item_complete: bool,
    /// Which of the rules that are reported once a document have been reported.
    noted: RuleSet,
    /// Where the last bytes were that are not in the encoding, and the worst that such bytes cost on their line.
    undecodable: Option<(usize, Effect)>,
    encoding: &'static str,
}

/// How many flaws are only counted, and the worst that one of them costs.
#[derive(Debug, Clone, Copy)]
struct Omitted {
    count: u64,
    worst: Effect,
}

impl Omitted {
    const NONE: Self = Self {
        count: 0,
        worst: Effect::Noted,
    };

    fn add(&mut self, count: u64, worst: Effect) {
        self.count += count;
        self.worst = self.worst.max(worst);
    }
}

/// How much had been found at some point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    flaws: usize,
    surplus: Omitted,
    undecodable: Option<(usize, Effect)>,
}

impl Report {
    pub(crate) fn new(policy: Policy) -> Self {
        Self {
            policy,
            flaws: Vec::new(),
            surplus: Omitted::NONE,
            surplus_denied: None,
            issues: Vec::new(),
            reported: 0,
            omitted: Omitted::NONE,
            first_omitted: None,
            item_complete: true,
            noted: RuleSet::NONE,
            undecodable: None,
            encoding: "UTF-8",
        }
    }

    pub(crate) fn reset(&mut self) {
        *self = Self::new(self.policy);
    }

    pub(crate) fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// A new call of the caller's: its issues are its own.
    #[inline]
    pub(crate) fn begin_call(&mut self) {
        self.issues.clear();
        if std::mem::take(&mut self.item_complete) {
            self.reported = 0;
            self.omitted = Omitted::NONE;
            self.first_omitted = None;
        }
    }

    pub(crate) fn flaw(&mut self, rule: Rule, effect: Effect, at: usize, found: &str) {
        // A rule that is reported once may be broken by every entry: no allocation for that.
        if !(once_a_document(rule) && self.noted.contains(rule)) {
            self.add(Violation::new(rule, found), effect, at);
        }
    }

    pub(crate) fn add(&mut self, violation: Violation, effect: Effect, at: usize) {
        let rule = violation.rule();
        if once_a_document(rule) {
            if self.noted.contains(rule) {
                return;
            }
            self.noted = self.noted.with(rule);
        }
        let flaw = Flaw {
            at,
            effect,
            violation,
        };
        if self.flaws.len() < MAX_ISSUES {
            self.flaws.push(flaw);
            return;
        }
        let earlier = |(_, held): &(u64, Flaw)| held.at <= flaw.at;
        if self.policy.denies(rule) && !self.surplus_denied.as_ref().is_some_and(earlier) {
            // If it is raised in the end, what it costs is said by that.
            self.surplus.count += 1;
            let held = self.surplus_denied.replace((self.surplus.count, flaw));
            if let Some((_, held)) = held {
                self.surplus.add(0, held.effect);
            }
        } else {
            self.surplus.add(1, flaw.effect);
        }
    }

    /// The encoding that the document is read in.
    pub(crate) fn set_encoding(&mut self, encoding: &'static str) {
        self.encoding = encoding;
    }

    pub(crate) fn encoding(&self) -> &'static str {
        self.encoding
    }

    /// Bytes that are not in the encoding. They are said once a line of an entry, unless they cost more than those
    /// before them.
    pub(crate) fn undecodable(&mut self, text: &str, at: usize, effect: Effect) {
        let line = self.undecodable.filter(|(before, _)| {
            let between = text.as_bytes().get(*before..at).unwrap_or_default();
            memchr::memchr2(b'\n', b'\r', between).is_none()
        });
        let is_said = line.is_some_and(|(_, said)| said >= effect);
        let worst = line.map_or(effect, |(_, said)| said.max(effect));
        self.undecodable = Some((at, worst));
        if !is_said {
            self.add(Violation::undecodable(self.encoding), effect, at);
        }
    }

    /// How much has been found so far; to be gone back to where something is looked at twice.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            flaws: self.flaws.len(),
            surplus: self.surplus,
            undecodable: self.undecodable,
        }
    }

    /// Forgets what was found since `mark`.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.flaws.truncate(mark.flaws);
        self.surplus = mark.surplus;
        self.undecodable = mark.undecodable;
        self.surplus_denied
            .take_if(|(number, _)| *number > mark.surplus.count);
    }

    /// Says whose value it is that something was found about since `mark`.
    pub(crate) fn name_owner(&mut self, mark: Mark, owner: impl Fn() -> String) {
        for flaw in self.flaws.iter_mut().skip(mark.flaws) {
            flaw.violation.name_owner(&owner);
        }
    }

    /// Forgets what was found and not settled.
    pub(crate) fn discard(&mut self) {
        self.flaws.clear();
        self.surplus = Omitted::NONE;
        self.surplus_denied = None;
        self.undecodable = None;
    }

    /// Judges the flaws collected: the first that the policy denies is returned, the others are issues.
    #[inline]
    pub(crate) fn settle(&mut self, window: &Window, entry: u64) -> Option<Error> {
        if self.flaws.is_empty() {
            return None;
        }
        self.judge(window, entry)
    }

    fn judge(&mut self, window: &Window, entry: u64) -> Option<Error> {
        self.undecodable = None;
        self.flaws.sort_by_key(|flaw| flaw.at);
        let mut cursor = window.cursor();
        let mut error = None;
        for flaw in self.flaws.drain(..) {
            let raised = error.is_none() && self.policy.denies(flaw.violation.rule());
            if !raised && self.reported >= MAX_ISSUES {
                if self.omitted.count == 0 {
                    self.first_omitted = Some(window.locate(&mut cursor, flaw.at, entry));
                }
                self.omitted.add(1, flaw.effect);
                continue;
            }
            let position = window.locate(&mut cursor, flaw.at, entry);
            if raised {
                error = Some(Error::new(
                    ErrorKind::Violation(flaw.violation),
                    Some(position),
                ));
                continue;
            }
            self.reported += 1;
            self.issues.push(Issue {
                violation: flaw.violation,
                position,
                effect: flaw.effect,
            });
        }
        let surplus = std::mem::replace(&mut self.surplus, Omitted::NONE);
        if surplus.count > 0 {
            let position = window.locate(&mut cursor, 0, entry);
            self.first_omitted.get_or_insert(position);
            self.omitted.add(surplus.count, surplus.worst);
        }
        match (&error, self.surplus_denied.take()) {
            (None, Some((_, flaw))) => {
                self.omitted.count = self.omitted.count.saturating_sub(1);
                let position = window.position(flaw.at, entry);
                error = Some(Error::new(
                    ErrorKind::Violation(flaw.violation),
                    Some(position),
                ));
            }
            (Some(_), Some((_, flaw))) => self.omitted.add(0, flaw.effect),
            (_, None) => {}
        }
        error
    }

    /// What the caller waited for is there (an entry, an error, the end): says how much was left out.
    #[inline]
    pub(crate) fn complete_item(&mut self) {
        self.item_complete = true;
        let omitted = std::mem::replace(&mut self.omitted, Omitted::NONE);
        if let (1.., Some(position)) = (omitted.count, self.first_omitted) {
            self.issues.push(Issue {
                violation: Violation::new(Rule::IssuesOmitted, &omitted.count.to_string()),
                position,
                effect: omitted.worst,
            });
        }
    }
}

const fn once_a_document(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::WrongNamespace | Rule::WrongCase | Rule::TooManyEntries | Rule::TooManyBytes
    )
}
