//! [`Report`]: all violations of a document. While a piece of the document is read, violations are collected as flaws;
//! when it is complete, the policy judges them: one may become an error, the others are issues.

pub(crate) mod facts;
mod once;
pub(crate) mod options;

use std::hash::{DefaultHasher, Hash, Hasher};

use self::facts::Facts;
use self::once::{AlreadyNoted, once_in_document};
use self::options::{OnIssue, Options, with};
use crate::error::{Error, ErrorKind};
use crate::format::{EntryKind, Format};
use crate::input::{Cursor, Window};
use crate::limits::MAX_ISSUES;
use crate::summary::{Completeness, Summary};
use crate::text::excerpt::Excerpt;
use crate::text::position::Position;
use crate::text::span::{Span, TakePart};
use crate::violation::{Detail, Effect, Issue, Policy, Rule, Violation, case, grouped};
use crate::vocabulary::SITEMAP;
use crate::xml::namespaces::{Namespaces, NsId};

/// The violations found so far, and the callback.
///
/// A flaw of the current item (the head, an entry, or the markup between two entries) is in `flaws`; or in `located`, if its
/// text is not in the window any more; or only counted in `surplus`, because the list of issues has no room for it. Judging
/// empties all three.
#[derive(Default)]
pub(crate) struct Report {
    policy: Policy,
    on_issue: Option<OnIssue>,
    pub(crate) facts: Facts,
    summary: Summary,
    flaws: Vec<Flaw>,
    /// Place of the first of them that the policy denies, which becomes the error.
    denied_at: Option<usize>,
    /// The flaws whose position is known, in the order of the document.
    located: Vec<Issue>,
    /// The effects of the flaws for which the list of issues has no room, and the place of the first.
    surplus: Summary,
    surplus_at: Option<usize>,
    /// The current item is the head. All of its flaws are kept, because it is known at its end which of them count. They are
    /// at most as many as its text has room for.
    pub(crate) in_head: bool,
    /// The worst effect of all flaws that have not been judged, or `None` if there are none.
    pub(crate) worst: Option<Effect>,
    /// Issues of the result that the caller waits for, or got last.
    pub(crate) issues: Vec<Issue>,
    /// Number of `issues` that count against the limit.
    listed: usize,
    /// The effects of the issues that are not listed, and the place of the first of them, with its line.
    omitted: Summary,
    omitted_at: Option<(Position, Option<Box<Excerpt>>)>,
    noted: AlreadyNoted,
    /// Position of the last bytes that are not in the encoding, and the worst effect of such bytes on their line.
    undecodable: Option<(usize, Effect)>,
    /// Start of the last item with a flaw: lines are counted from there on.
    counted: Cursor,
}

/// A violation that has not been judged yet. `span` is a part of the window's text, so the window may not move before
/// it is judged.
struct Flaw {
    span: Span,
    effect: Effect,
    violation: Violation,
}

impl Report {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            policy: options.policy,
            on_issue: options.on_issue.clone(),
            in_head: true,
            ..Self::default()
        }
    }

    pub(crate) fn reset(&mut self) {
        *self = Self {
            policy: self.policy,
            on_issue: self.on_issue.take(),
            in_head: true,
            ..Self::default()
        };
    }

    // Adding flaws.

    /// Reports a violation. The quotation is only copied if anybody will see it. A rule that is reported once per document
    /// is added the first time only.
    pub(crate) fn flaw(&mut self, rule: Rule, effect: Effect, span: Span, found: &str) {
        let key = once_in_document(rule);
        self.push_new(key, rule, effect, span, || Violation::new(rule, found));
    }

    /// Like `flaw`, for a violation that has been made.
    pub(crate) fn add(&mut self, violation: Violation, effect: Effect, span: Span) {
        let rule = violation.rule();
        self.push_new(once_in_document(rule), rule, effect, span, || violation);
    }

    /// Reports, once per document, a limit that is exceeded. Every later entry exceeds it too, so the number is only
    /// written the first time.
    pub(crate) fn over_limit(&mut self, rule: Rule, limit: u64, span: Span) {
        let violation = || Violation::new(rule, &grouped(limit));
        self.push_new(once_in_document(rule), rule, Effect::Noted, span, violation);
    }

    /// Adds a flaw. One with a `key` is reported once per document, so it may have been reported already.
    fn push_new(
        &mut self,
        key: Option<u64>,
        rule: Rule,
        effect: Effect,
        span: Span,
        violation: impl FnOnce() -> Violation,
    ) {
        let at = span.start();
        if key.is_some_and(|key| !self.noted.add(rule, key, at)) {
            return;
        }
        self.worst = self.worst.max(Some(effect));
        let is_raised = self.would_be_raised(rule, effect, at);
        if self.is_full() && !is_raised {
            self.surplus.count(effect);
            self.surplus_at.get_or_insert(at);
        } else {
            if is_raised {
                self.denied_at = Some(at);
            }
            self.flaws.push(Flaw {
                span,
                effect,
                violation: violation(),
            });
        }
    }

    /// Returns `true` if the list of issues has no room.
    fn is_full(&self) -> bool {
        !self.in_head && self.listed + self.flaws.len() >= MAX_ISSUES
    }

    /// Returns `true` if a flaw at `at` would be the error.
    fn would_be_raised(&self, rule: Rule, effect: Effect, at: usize) -> bool {
        self.policy.denies(rule, effect) && self.denied_at.is_none_or(|denied_at| at < denied_at)
    }

    /// Reports, once per document, a namespace that is taken for another, or is wrong for its prefix.
    pub(crate) fn wrong_namespace(
        &mut self,
        namespaces: &Namespaces,
        id: NsId,
        prefix: &str,
        span: Span,
    ) {
        let (rule, uri) = (Rule::WrongNamespace, namespaces.uri(id));
        self.push_new(Some(namespaces.key(id)), rule, Effect::Noted, span, || {
            let detail = match uri {
                _ if !prefix.is_empty() => case::NOT_THE_PREFIXS.into(),
                "" => Detail::from(SITEMAP.uri),
                uri if uri == SITEMAP.uri => case::NOT_THE_ROOTS.into(),
                _ => Detail::None,
            };
            Violation::with_detail(rule, uri, detail).owned_by(prefix)
        });
    }

    /// Reports, once per document, a prefix that is not declared.
    pub(crate) fn undeclared_prefix(&mut self, prefix: &str, span: Span) {
        // By its hash, because a prefix can be long.
        let mut hasher = DefaultHasher::new();
        prefix.hash(&mut hasher);
        let (rule, key) = (Rule::UndeclaredPrefix, hasher.finish());
        let violation = || Violation::new(rule, prefix);
        self.push_new(Some(key), rule, Effect::Noted, span, violation);
    }

    /// Reports bytes that are not in the encoding: once a line of an entry, unless they cost more than those before them.
    pub(crate) fn undecodable(&mut self, text: &str, span: Span, effect: Effect) {
        let at = span.start();
        let worst = self.undecodable.and_then(|(before, worst)| {
            let between = text.as_bytes().part(before..at);
            let has_line_end = memchr::memchr2(b'\n', b'\r', between).is_some();
            (!has_line_end).then_some(worst)
        });
        self.undecodable = Some((at, worst.map_or(effect, |worst| worst.max(effect))));
        if worst.is_none_or(|worst| worst < effect) {
            self.add(Violation::undecodable(self.facts.encoding), effect, span);
        }
    }

    /// Reports a mistake of this crate, which costs the entry.
    #[cold]
    pub(crate) fn internal(&mut self, kind: EntryKind) {
        let effect = Effect::EntrySkipped;
        self.flaw(Rule::Internal, effect, Span::EMPTY, kind.element());
    }

    /// Removes the flaws for which `is_forgotten`, given the place and the rule, returns `true`: their text will be read again,
    /// or another flaw covers them. Flaws that are only counted are removed with the first of them; otherwise, some of them can
    /// be counted twice.
    pub(crate) fn forget(&mut self, is_forgotten: impl Fn(usize, Rule) -> bool) {
        self.flaws
            .retain(|flaw| !is_forgotten(flaw.span.start(), flaw.violation.rule()));
        let denied = self.flaws.iter();
        let denied = denied.filter(|flaw| self.policy.denies(flaw.violation.rule(), flaw.effect));
        self.denied_at = denied.map(|flaw| flaw.span.start()).min();
        let first = self.surplus_at;
        if first.is_some_and(|first| is_forgotten(first, Rule::IssuesOmitted)) {
            self.surplus = Summary::default();
            self.surplus_at = None;
        }
        self.noted.forget(&is_forgotten);
        let undecodable = self.undecodable;
        self.undecodable =
            undecodable.filter(|(last, _)| !is_forgotten(*last, Rule::InvalidCharacter));
        let kept = self.flaws.iter().map(|flaw| flaw.effect);
        let located = self.located.iter().map(|issue| issue.effect);
        let counted = self.surplus.issues().map(|(_, worst)| worst);
        self.worst = kept.chain(located).chain(counted).max();
    }

    /// Like `forget`, for flaws of the head whose text is not in the window any more.
    pub(crate) fn forget_passed(&mut self, is_forgotten: impl Fn(Rule) -> bool) {
        self.located.retain(|issue| !is_forgotten(issue.rule()));
    }

    /// Removes all flaws of the current item. If it is the head, it ends.
    pub(crate) fn discard(&mut self) {
        self.in_head = false;
        self.facts.unplaced = None;
        self.located.clear();
        self.surplus = Summary::default();
        self.forget(|_, _| true);
    }

    // The result of judging a flaw.

    /// Returns `true` if a flaw skips the current entry.
    pub(crate) fn skips_entry(&self) -> bool {
        self.worst == Some(Effect::EntrySkipped)
    }

    // The result of reading. It is written here and in `judge` only.

    pub(crate) const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Counts an entry, the last of those begun; again if it turns out not to be returned.
    pub(crate) const fn count_entry(&mut self, begun: u64, is_returned: bool) {
        self.summary.skipped += !is_returned as u64;
        self.summary.entries = begun - self.summary.skipped;
    }

    /// Counts an element of another vocabulary that is in no entry.
    pub(crate) const fn count_outside(&mut self) {
        self.summary.outside += 1;
    }

    /// Reading has ended.
    pub(crate) const fn end(&mut self, format: Option<Format>, completeness: Completeness) {
        self.summary.end(format, completeness);
    }

    /// Judges the flaws collected: the first that the policy denies is returned, the others are issues.
    #[inline]
    pub(crate) fn settle(&mut self, window: &Window, entry: u64) -> Option<Error> {
        self.worst.take()?;
        self.judge(window, entry)
    }

    /// Turns the flaws, in the order of the document, into issues and at most one error. Those of the head wait for its end.
    fn judge(&mut self, window: &Window, entry: u64) -> Option<Error> {
        self.locate(window, entry);
        let mut located = std::mem::take(&mut self.located);
        let mut error = None;
        if self.in_head {
            self.worst = Some(Effect::Noted);
            let is_denied = |issue: &Issue| self.policy.denies(issue.rule(), issue.effect);
            // The first that is denied becomes the error, so it is kept.
            if let Some(denied) = located.iter().position(is_denied)
                && denied > MAX_ISSUES
            {
                located.swap(MAX_ISSUES, denied);
            }
            let most = located.len().min(MAX_ISSUES + 1);
            located.drain(most..).for_each(|issue| self.omit(issue));
        } else {
            for issue in located.drain(..) {
                if error.is_none() && self.policy.denies(issue.rule(), issue.effect) {
                    let kind = ErrorKind::Violation(issue.violation);
                    let raised = Error::new(kind, Some(issue.position));
                    error = Some(raised.marking(issue.len as usize, issue.excerpt));
                } else if self.listed == MAX_ISSUES {
                    self.omit(issue);
                } else {
                    self.listed += 1;
                    self.summary.count(issue.effect);
                    self.list(issue);
                }
            }
            let surplus = std::mem::take(&mut self.surplus);
            self.summary.count_all(&surplus);
            self.omitted.count_all(&surplus);
        }
        // The buffer is kept.
        self.located = located;
        error
    }

    /// Computes the positions of the flaws, in the order of the document.
    fn locate(&mut self, window: &Window, entry: u64) {
        self.undecodable = None;
        self.noted.keep();
        self.denied_at = None;
        let mut cursor = window.cursor_from(self.counted);
        window.locate(&mut cursor, 0, entry);
        self.counted = cursor;
        self.flaws.sort_by_key(|flaw| flaw.span.start());
        for flaw in self.flaws.drain(..) {
            let position = window.locate(&mut cursor, flaw.span.start(), entry);
            self.located.push(Issue {
                violation: flaw.violation,
                position,
                effect: flaw.effect,
                len: flaw.span.len() as u64,
                excerpt: window.kept_excerpt(position, flaw.span.len()),
            });
        }
        // Issues are in order, so it is not before the last that is listed.
        if let Some(at) = self.surplus_at.take() {
            let position = window.locate(&mut cursor, at, entry);
            let excerpt = window.kept_excerpt(position, 0);
            self.omitted_at.get_or_insert((position, excerpt));
        }
    }

    /// Counts an issue for which the list has no room.
    fn omit(&mut self, issue: Issue) {
        self.surplus.count(issue.effect);
        self.omitted_at
            .get_or_insert((issue.position, issue.excerpt));
    }

    /// Adds an issue to the list. The callback gets the same issues.
    fn list(&mut self, issue: Issue) {
        if let Some(on_issue) = &self.on_issue {
            with(on_issue, |call| call(&issue));
        }
        self.issues.push(issue);
    }

    /// Ends the issues of a result (an entry, an error, the end): one issue represents those that are not listed.
    #[inline]
    pub(crate) fn end_issues(&mut self) {
        self.listed = 0;
        if let Some((position, excerpt)) = self.omitted_at.take() {
            self.list_omitted(position, excerpt);
        }
    }

    #[cold]
    fn list_omitted(&mut self, position: Position, excerpt: Option<Box<Excerpt>>) {
        if let Some((count, effect)) = std::mem::take(&mut self.omitted).issues() {
            self.list(Issue {
                violation: Violation::new(Rule::IssuesOmitted, &count.to_string()),
                position,
                effect,
                len: 0,
                excerpt,
            });
        }
    }

    /// Brings what was found in an entry in two steps into the order of the document.
    pub(crate) fn merge_issues(&mut self, entry: u64) {
        let issues = &mut self.issues;
        let other = |issue: &Issue| issue.position.entry() != entry;
        let own = issues.iter().rposition(other).map_or(0, |last| last + 1);
        if let Some(own) = issues.get_mut(own..) {
            own.sort_by_cached_key(|issue| match issue.rule() {
                Rule::IssuesOmitted => u64::MAX,
                _ => issue.position.byte(),
            });
        }
    }
}
