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
    surplus: u64,
    surplus_denied: Option<(u64, Flaw)>,
    issues: Vec<Issue>,
    /// Issues of the item that the caller is waiting for; it may take several calls to complete.
    reported: usize,
    omitted: u64,
    first_omitted: Option<crate::position::Position>,
    item_complete: bool,
    /// Which of the rules that are reported once a document have been reported.
    noted: RuleSet,
}

/// How much had been found at some point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    flaws: usize,
    surplus: u64,
}

impl Report {
    pub(crate) fn new(policy: Policy) -> Self {
        Self {
            policy,
            flaws: Vec::new(),
            surplus: 0,
            surplus_denied: None,
            issues: Vec::new(),
            reported: 0,
            omitted: 0,
            first_omitted: None,
            item_complete: true,
            noted: RuleSet::NONE,
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
            self.omitted = 0;
            self.first_omitted = None;
        }
    }

    pub(crate) fn flaw(&mut self, rule: Rule, effect: Effect, at: usize, found: &str) {
        // A rule that is reported once may be broken by every entry: no allocation for that.
        if !(once_a_document(rule) && self.noted.contains(rule)) {
            // Nor for those that are only counted.
            if self.only_counts(rule, at) {
                self.surplus += 1;
            } else {
                self.add(Violation::new(rule, found), effect, at);
            }
        }
    }

    /// Whether nobody will see what was found at `at`: so much has been found before that it is only counted.
    pub(crate) fn only_counts(&self, rule: Rule, at: usize) -> bool {
        let earlier = |(_, held): &(u64, Flaw)| held.at <= at;
        let raises = self.policy.denies(rule) && !self.surplus_denied.as_ref().is_some_and(earlier);
        self.flaws.len() >= MAX_ISSUES && !raises && !once_a_document(rule)
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
        self.surplus += 1;
        let earlier = |(_, held): &(u64, Flaw)| held.at <= flaw.at;
        if self.policy.denies(rule) && !self.surplus_denied.as_ref().is_some_and(earlier) {
            self.surplus_denied = Some((self.surplus, flaw));
        }
    }

    /// How much has been found so far; to be gone back to where something is looked at twice.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            flaws: self.flaws.len(),
            surplus: self.surplus,
        }
    }

    /// Forgets what was found since `mark`.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.flaws.truncate(mark.flaws);
        self.surplus = mark.surplus;
        self.surplus_denied
            .take_if(|(number, _)| *number > mark.surplus);
    }

    /// Forgets what was found at `at` and behind it: it is looked at again.
    pub(crate) fn forget_from(&mut self, at: usize) {
        let before = self.flaws.len();
        let noted = &mut self.noted;
        self.flaws.retain(|flaw| {
            let stays = flaw.at < at;
            if !stays {
                *noted = noted.without(flaw.violation.rule());
            }
            stays
        });
        // Those beyond the ones kept came after them.
        if self.flaws.len() < before {
            self.surplus = 0;
            self.surplus_denied = None;
        }
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
        self.surplus = 0;
        self.surplus_denied = None;
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
        self.flaws.sort_by_key(|flaw| flaw.at);
        let mut cursor = window.cursor();
        let mut error = None;
        for flaw in self.flaws.drain(..) {
            let raised = error.is_none() && self.policy.denies(flaw.violation.rule());
            if !raised && self.reported >= MAX_ISSUES {
                if self.omitted == 0 {
                    self.first_omitted = Some(window.locate(&mut cursor, flaw.at, entry));
                }
                self.omitted += 1;
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
        if self.surplus > 0 {
            let position = window.locate(&mut cursor, 0, entry);
            self.first_omitted.get_or_insert(position);
            self.omitted += std::mem::take(&mut self.surplus);
        }
        if let (None, Some((_, flaw))) = (&error, self.surplus_denied.take()) {
            self.omitted = self.omitted.saturating_sub(1);
            let position = window.position(flaw.at, entry);
            error = Some(Error::new(
                ErrorKind::Violation(flaw.violation),
                Some(position),
            ));
        }
        error
    }

    /// What the caller waited for is there (an entry, an error, the end): says how much was left out.
    #[inline]
    pub(crate) fn complete_item(&mut self) {
        self.item_complete = true;
        let omitted = std::mem::take(&mut self.omitted);
        if let (1.., Some(position)) = (omitted, self.first_omitted) {
            self.issues.push(Issue {
                violation: Violation::new(Rule::IssuesOmitted, &omitted.to_string()),
                position,
                effect: Effect::Noted,
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
