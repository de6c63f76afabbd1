//! [`Report`]: all violations of a document. While a piece of the document is read, violations are collected as flaws;
//! when it is complete, the policy judges them: one may become an error, the others are issues.

mod flaw;
pub(crate) mod options;

use std::hash::{DefaultHasher, Hash, Hasher};

use self::flaw::{Flaw, Once};
use self::options::{OnIssue, Options};
use crate::error::{Error, ErrorKind};
use crate::format::EntryKind;
use crate::input::{Cursor, Window};
use crate::limits::{MAX_ISSUES, MAX_NOTED_NAMES};
use crate::summary::{Effects, Summary};
use crate::text::excerpt::Excerpt;
use crate::text::position::Position;
use crate::text::span::{Span, TakePart, forget_wrong_bounds};
use crate::violation::{Detail, Effect, Issue, Policy, Rule, Violation, case};
use crate::vocabulary::SITEMAP;
use crate::xml::stylesheet::Stylesheet;

/// The violations found so far, and the callback.
///
/// A flaw is in exactly one of `flaws` (at most [`MAX_ISSUES`], less those in `listed`), `surplus_denied` (the first of the
/// others that the policy denies) and `surplus` (the rest). `has_flaws` is `true` if there is a flaw in any of them, and
/// `skips_entry` if one of these flaws skips the entry. Judging empties all three. `listed`, `omitted` and `first_omitted`
/// belong to the item that the caller waits for, over all calls that it takes; the first call after `item_complete` resets
/// them.
#[derive(Debug, Default)]
pub(crate) struct Report {
    policy: Policy,
    on_issue: Option<OnIssue>,
    /// Issues and errors have the line that they are on.
    keeps_lines: bool,
    pub(crate) summary: Summary,
    /// Flaws of the current item: an entry, or the markup between two entries.
    flaws: Vec<Flaw>,
    /// Something was found that has not been judged.
    pub(crate) has_flaws: bool,
    /// `true` if a flaw skips the current entry.
    pub(crate) skips_entry: bool,
    /// The effects of the flaws for which the list of issues has no room, and the last of their places.
    surplus: Effects,
    surplus_until: usize,
    /// The first of those that the policy denies; it is not among them.
    surplus_denied: Option<Flaw>,
    /// Issues that the latest call has reported.
    pub(crate) issues: Vec<Issue>,
    /// Number of listed issues of the item that the caller waits for, over all calls that it takes.
    listed: usize,
    /// Issues of this item that are only counted, and the position of the first.
    omitted: Effects,
    first_omitted: Option<(Position, Option<Box<Excerpt>>)>,
    item_complete: bool,
    /// Findings that are reported once per document, in order.
    noted: Vec<Once>,
    /// Those found in the current item, with their places.
    noted_now: Vec<(usize, Once)>,
    /// Position of the last bytes that are not in the encoding, and the worst effect of such bytes on their line.
    undecodable: Option<(usize, Effect)>,
    /// The encoding that the document is read in.
    pub(crate) encoding: &'static str,
    /// The type and the href of a style sheet whose position is not known yet.
    pub(crate) unplaced_stylesheet: Option<(String, String)>,
    /// The style sheet that the document names.
    pub(crate) stylesheet: Option<Stylesheet>,
    /// Start of the last item with a flaw: lines are counted from there on.
    counted: Cursor,
}

impl Report {
    pub(crate) fn new(options: &Options) -> Self {
        Self::with(options.policy, options.on_issue.clone(), options.excerpts)
    }

    fn with(policy: Policy, on_issue: Option<OnIssue>, keeps_lines: bool) -> Self {
        Self {
            policy,
            on_issue,
            keeps_lines,
            item_complete: true,
            encoding: "UTF-8",
            ..Self::default()
        }
    }

    pub(crate) fn reset(&mut self) {
        *self = Self::with(self.policy, self.on_issue.take(), self.keeps_lines);
    }

    /// Begins a new call, whose issues are its own.
    #[inline]
    pub(crate) fn begin_call(&mut self) {
        self.issues.clear();
        self.begin_part();
    }

    /// A call that adds to the issues of the one before it.
    #[inline]
    pub(crate) fn begin_part(&mut self) {
        if std::mem::take(&mut self.item_complete) {
            self.listed = 0;
            self.omitted = Effects::default();
            self.first_omitted = None;
        }
    }

    // Adding flaws.

    /// Reports a violation; the quotation is only copied if anybody will see it.
    pub(crate) fn flaw(&mut self, rule: Rule, effect: Effect, span: Span, found: &str) {
        let once = Once::Rule(rule);
        if once_a_document(rule) && self.noted.binary_search(&once).is_ok() {
            return;
        }
        if self.is_only_counted(rule, span.start()) {
            self.has_flaws = true;
            self.skips_entry |= effect == Effect::EntrySkipped;
            self.push_surplus(span.start(), effect);
        } else {
            self.add(Violation::new(rule, found), effect, span);
        }
    }

    /// Adds a violation as a flaw. Rules that are reported once per document are added the first time only.
    pub(crate) fn add(&mut self, violation: Violation, effect: Effect, span: Span) {
        let rule = violation.rule();
        let once = once_a_document(rule).then_some(Once::Rule(rule));
        self.push_new(once, effect, span, || violation);
    }

    /// Adds a flaw, unless it is reported once per document and has been reported.
    fn push_new(
        &mut self,
        once: Option<Once>,
        effect: Effect,
        span: Span,
        violation: impl FnOnce() -> Violation,
    ) {
        if once.is_none_or(|once| self.is_new(once, span.start())) {
            self.push(Flaw {
                span,
                effect,
                violation: violation(),
            });
        }
    }

    /// Keeps a flaw in the list if it has room. Otherwise only its effect is kept, except for the first that the policy
    /// denies.
    fn push(&mut self, flaw: Flaw) {
        self.has_flaws = true;
        self.skips_entry |= flaw.effect == Effect::EntrySkipped;
        if self.has_room() {
            self.flaws.push(flaw);
            return;
        }
        let denied = self.policy.denies(flaw.violation.rule());
        let flaw = if denied && self.would_be_first(flaw.at()) {
            self.surplus_denied.replace(flaw)
        } else {
            Some(flaw)
        };
        if let Some(flaw) = flaw {
            self.push_surplus(flaw.at(), flaw.effect);
        }
    }

    fn push_surplus(&mut self, at: usize, effect: Effect) {
        self.surplus.add_many(effect, 1);
        self.surplus_until = self.surplus_until.max(at);
    }

    /// Returns `true` if the list of issues has room for another one.
    fn has_room(&self) -> bool {
        self.listed + self.flaws.len() < MAX_ISSUES
    }

    /// Returns `true` if the quotation of a flaw at `at` is not kept, because the list is full.
    pub(crate) fn is_only_counted(&self, rule: Rule, at: usize) -> bool {
        let may_be_raised = self.policy.denies(rule) && self.would_be_first(at);
        !(self.has_room() || once_a_document(rule) || may_be_raised)
    }

    /// Returns `true` if this flaw would be the error, if it is denied, among the flaws beyond those listed.
    fn would_be_first(&self, at: usize) -> bool {
        let held = self.surplus_denied.as_ref();
        held.is_none_or(|held| at < held.at())
    }

    /// Reports, once per document, a namespace that is taken for another; `key` identifies it.
    pub(crate) fn wrong_namespace(&mut self, key: u64, uri: &str, span: Span) {
        let once = Some(Once::Namespace(key));
        self.push_new(once, Effect::Noted, span, || {
            let detail = if uri == SITEMAP.uri {
                Detail::Case(case::NOT_THE_ROOTS)
            } else {
                Detail::from(if uri.is_empty() { SITEMAP.uri } else { "" })
            };
            Violation::with_detail(Rule::WrongNamespace, uri, detail)
        });
    }

    /// Reports, once per document, a prefix that is not declared.
    pub(crate) fn undeclared_prefix(&mut self, prefix: &str, span: Span) {
        // By its hash, because a prefix can be long.
        let mut hasher = DefaultHasher::new();
        prefix.hash(&mut hasher);
        let once = Some(Once::Prefix(hasher.finish()));
        self.push_new(once, Effect::Noted, span, || {
            Violation::new(Rule::UndeclaredPrefix, prefix)
        });
    }

    /// Returns `true` if this has not been reported in this document. The list is bounded, because a longer one would
    /// not help.
    fn is_new(&mut self, once: Once, at: usize) -> bool {
        let Err(place) = self.noted.binary_search(&once) else {
            return false;
        };
        let kind = std::mem::discriminant(&once);
        let alike = self.noted.iter().map(std::mem::discriminant);
        let has_room = alike.filter(|noted| *noted == kind).count() < MAX_NOTED_NAMES;
        if has_room {
            self.noted.insert(place, once);
            self.noted_now.push((at, once));
        }
        has_room
    }

    /// Reports bytes that are not in the encoding: once a line of an entry, unless they cost more than those before them.
    pub(crate) fn undecodable(&mut self, text: &str, span: Span, effect: Effect) {
        let at = span.start();
        let line = self.undecodable.filter(|(before, _)| {
            let between = text.as_bytes().part(*before..at);
            memchr::memchr2(b'\n', b'\r', between).is_none()
        });
        let is_reported = line.is_some_and(|(_, worst)| worst >= effect);
        let worst = line.map_or(effect, |(_, worst)| worst.max(effect));
        self.undecodable = Some((at, worst));
        if !is_reported {
            self.add(Violation::undecodable(self.encoding), effect, span);
        }
    }

    /// Reports a mistake of this crate, which costs the entry.
    #[cold]
    pub(crate) fn internal(&mut self, kind: EntryKind) {
        forget_wrong_bounds();
        let effect = Effect::EntrySkipped;
        self.flaw(Rule::Internal, effect, Span::EMPTY, kind.element());
    }

    /// Removes the flaws at and after `at`, because that text will be read again. If some for which the list has no room
    /// are among them, all of those are removed: nothing is counted twice.
    pub(crate) fn forget_from(&mut self, at: usize) {
        self.flaws.retain(|flaw| flaw.at() < at);
        self.surplus_denied = self.surplus_denied.take().filter(|flaw| flaw.at() < at);
        if self.surplus_until >= at {
            self.surplus = Effects::default();
            self.surplus_until = 0;
        }
        let noted = &mut self.noted;
        self.noted_now.retain(|(place, once)| {
            let is_kept = *place < at;
            if let Ok(place) = noted.binary_search(once)
                && !is_kept
            {
                noted.remove(place);
            }
            is_kept
        });
        self.undecodable = self.undecodable.filter(|(last, _)| *last < at);
        self.has_flaws = !self.flaws.is_empty() || self.has_surplus();
        let is_lost = |flaw: &Flaw| flaw.effect == Effect::EntrySkipped;
        self.skips_entry = self.surplus.worst() == Effect::EntrySkipped
            || self.flaws.iter().chain(&self.surplus_denied).any(is_lost);
    }

    /// Returns `true` if there are flaws for which the list has no room.
    fn has_surplus(&self) -> bool {
        self.surplus.count() > 0 || self.surplus_denied.is_some()
    }

    /// Forgets what was found and not judged.
    pub(crate) fn discard(&mut self) {
        self.flaws.clear();
        self.has_flaws = false;
        self.skips_entry = false;
        self.surplus = Effects::default();
        self.surplus_until = 0;
        self.surplus_denied = None;
        self.noted_now.clear();
        self.undecodable = None;
    }

    /// Keeps the first style sheet.
    pub(crate) fn keep_stylesheet(&mut self, media_type: String, href: String) {
        if self.stylesheet.is_none() {
            self.unplaced_stylesheet = Some((media_type, href));
        }
    }

    pub(crate) fn place_stylesheet(&mut self, position: Position) {
        if let Some((media_type, href)) = self.unplaced_stylesheet.take() {
            self.stylesheet = Some(Stylesheet {
                media_type,
                href,
                position,
            });
        }
    }

    // The result of judging a flaw.

    /// Judges the flaws collected: the first that the policy denies is returned, the others are issues.
    #[inline]
    pub(crate) fn settle(&mut self, window: &Window, entry: u64) -> Option<Error> {
        if !self.has_flaws {
            return None;
        }
        self.judge(window, entry)
    }

    /// Turns the flaws, in the order of the document, into issues and at most one error.
    fn judge(&mut self, window: &Window, entry: u64) -> Option<Error> {
        self.has_flaws = false;
        self.skips_entry = false;
        self.undecodable = None;
        self.noted_now.clear();
        let mut flaws = std::mem::take(&mut self.flaws);
        flaws.sort_by_cached_key(|flaw| flaw.at() as u64);
        let mut cursor = window.cursor_from(self.counted);
        window.locate(&mut cursor, 0, entry);
        self.counted = cursor;
        let mut error = None;
        for flaw in flaws.drain(..) {
            let position = window.locate(&mut cursor, flaw.at(), entry);
            if error.is_none() && self.policy.denies(flaw.violation.rule()) {
                error = Some(self.raised(flaw, position, window));
            } else {
                let issue = self.issue(flaw, position, window);
                self.list(issue);
            }
        }
        // The buffer is kept.
        self.flaws = flaws;
        if self.has_surplus() {
            self.judge_surplus(window, entry, cursor, &mut error);
        }
        error
    }

    /// Judges the flaws for which the list has no room. They follow those in the list, in the order in which they were
    /// found.
    #[cold]
    fn judge_surplus(
        &mut self,
        window: &Window,
        entry: u64,
        mut cursor: Cursor,
        error: &mut Option<Error>,
    ) {
        let mut surplus = std::mem::take(&mut self.surplus);
        self.surplus_until = 0;
        if let Some(denied) = self.surplus_denied.take() {
            if error.is_none() {
                let position = window.position(denied.at(), entry);
                *error = Some(self.raised(denied, position, window));
            } else {
                surplus.add_many(denied.effect, 1);
            }
        }
        if surplus.count() > 0 {
            let position = window.locate(&mut cursor, 0, entry);
            self.omit(surplus, position, window);
        }
    }

    fn issue(&self, flaw: Flaw, position: Position, window: &Window) -> Issue {
        Issue {
            len: flaw.span.len() as u64,
            excerpt: self.excerpt(flaw.span, position, window),
            violation: flaw.violation,
            position,
            effect: flaw.effect,
        }
    }

    fn raised(&self, flaw: Flaw, position: Position, window: &Window) -> Error {
        let excerpt = self.excerpt(flaw.span, position, window);
        Error::new(ErrorKind::Violation(flaw.violation), Some(position)).on_line(excerpt)
    }

    /// The line that something was found on, if it is wanted.
    pub(crate) fn excerpt(
        &self,
        span: Span,
        position: Position,
        window: &Window,
    ) -> Option<Box<Excerpt>> {
        let line = self.keeps_lines.then(|| window.line(position))??;
        Some(Box::new(Excerpt::new(line, span.len())))
    }

    fn list(&mut self, issue: Issue) {
        self.listed += 1;
        self.summary.count_issues(Effects::one(issue.effect));
        self.call_back(&issue);
        self.issues.push(issue);
    }

    /// Calls the callback, which gets the issues that are listed.
    fn call_back(&self, issue: &Issue) {
        if let Some(on_issue) = &self.on_issue {
            on_issue.call(issue);
        }
    }

    fn omit(&mut self, effects: Effects, position: Position, window: &Window) {
        if self.first_omitted.is_none() {
            self.first_omitted = Some((position, self.excerpt(Span::EMPTY, position, window)));
        }
        self.omitted.add_all(effects);
        self.summary.count_issues(effects);
    }

    /// The result that the caller waited for is complete (an entry, an error, the end): reports the number of issues
    /// that are not listed.
    #[inline]
    pub(crate) fn complete_item(&mut self) {
        self.item_complete = true;
        if self.omitted.count() > 0 {
            self.list_omitted();
        }
    }

    /// Lists one issue in place of those that were only counted, with their number and worst effect.
    fn list_omitted(&mut self) {
        let omitted = std::mem::take(&mut self.omitted);
        if let (1.., Some((position, excerpt))) = (omitted.count(), self.first_omitted.take()) {
            let count = omitted.count().to_string();
            let issue = Issue {
                violation: Violation::new(Rule::IssuesOmitted, &count),
                position,
                effect: omitted.worst(),
                len: 0,
                excerpt,
            };
            self.call_back(&issue);
            self.issues.push(issue);
        }
    }

    /// Brings what was found in an entry in two steps into the order of the document.
    pub(crate) fn merge_issues(&mut self, entry: u64) {
        let issues = &mut self.issues;
        let own = issues
            .iter()
            .rposition(|issue| issue.position.entry() != entry);
        let own = issues.get_mut(own.map_or(0, |last| last + 1)..);
        own.unwrap_or_default()
            .sort_by_cached_key(|issue| match issue.rule() {
                Rule::IssuesOmitted => u64::MAX,
                _ => issue.position.byte(),
            });
    }
}

const fn once_a_document(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::WrongCase | Rule::TooManyEntries | Rule::TooManyBytes
    )
}
