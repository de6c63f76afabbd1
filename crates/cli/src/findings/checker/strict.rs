//! The finding of the strict reader: one per document, where it stops being well-formed XML.

use std::ops::Range;

use quick_sitemap::{Effect, ErrorKind, Rule};

use crate::judge::finding::Finding;
use crate::judge::rules::{FindingRule, rule};
use crate::judge::wellformed::{
    BAD_BYTES, Declared, Fault, StrictReader, UNCLOSED_DECLARATION, Verdict, is_of_ascii, is_utf_8,
};
use crate::source::span::position;
use crate::source::walk::Outcome;
use crate::term::clipped::clipped;
use crate::term::count::{Count, Grouped};

/// The strict reader of a document, and the findings of the lenient one at the place where it stops.
#[derive(Default)]
pub(super) struct Strict {
    pub(super) reader: StrictReader,
    /// There is a finding if the document is not well-formed.
    pub(super) is_reported: bool,
    /// The declaration of an encoding that XML parsers reject.
    pub(super) encoding: Option<Finding>,
    /// Bytes that are not ASCII cannot be judged.
    pub(super) is_unsupported: bool,
    /// The first finding at the place.
    pub(super) taken: Option<Finding>,
}

impl Strict {
    /// The encoding of the document, if a sitemap must not have it. `sure`: the one that its bytes leave no doubt of.
    /// `charset`: that of the header `Content-Type`, which counts if nothing else names one that is known.
    pub(super) fn foreign_encoding(
        &self,
        sure: Option<&str>,
        charset: Option<&str>,
    ) -> Option<String> {
        let charset = charset.filter(|label| sure.is_none() && is_of_ascii(label));
        let named = self.reader.encoding(charset);
        let named = named.as_deref().or(sure).filter(|label| !is_utf_8(label))?;
        Some(clipped(named).into_owned())
    }

    /// Returns `true` if the finding is part of that of the strict reader, because it is about the same fault.
    pub(super) fn takes(&mut self, finding: &mut Finding) -> bool {
        let Some(Range { start, end }) = range(finding) else {
            return false;
        };
        let Some(issue) = finding.issue.as_ref().filter(|_| self.is_reported) else {
            return false;
        };
        let (rule, found, detail) = (
            issue.rule(),
            issue.violation.found(),
            issue.violation.detail(),
        );
        if rule == Rule::InvalidCharacter && self.is_unsupported && !detail.is_empty() {
            // They may be characters of the declared encoding.
            finding.message = "bytes in an encoding that is not supported".to_owned();
            return finding.effect != Some(Effect::EntrySkipped);
        }
        if !may_be_of_xml(rule) {
            return false;
        }
        let fault = match self.reader.so_far() {
            Verdict::Broken(fault) => Some(fault),
            _ => None,
        };
        if rule == Rule::EncodingConflict {
            let declared = Declared::new(found, detail);
            let is_first = fault.is_none_or(|fault| fault.place.byte >= start);
            if is_first && declared == Declared::Rejected {
                self.encoding = Some(finding.clone());
                return true;
            }
            if declared == Declared::Unsupported {
                self.is_unsupported = true;
                let unjudged = ", so only the ASCII characters of the document can be judged";
                finding.message.push_str(unjudged);
            }
            return false;
        }
        let is_of_declaration = found.starts_with("<?xml");
        let is_there = fault.is_some_and(|Fault { place, reason, .. }| {
            (start..=end).contains(&place.byte)
                || is_of_declaration && reason == UNCLOSED_DECLARATION
        });
        match &self.taken {
            None if is_there => self.taken = Some(finding.clone()),
            None => return false,
            // The rest of markup that is none.
            Some(taken) => {
                let follows = range(taken).is_some_and(|taken| taken.end == start);
                return follows && rule == Rule::StrayText;
            }
        }
        true
    }

    /// The finding at the end of a document with so many entries.
    ///
    /// # Errors
    ///
    /// The bound that ended the strict reading.
    pub(super) fn finish(
        self,
        end: &Outcome,
        entries: u64,
    ) -> Result<Option<Finding>, &'static str> {
        let fault = match self.reader.finish(matches!(end, Outcome::Whole)) {
            Verdict::Broken(fault) if self.is_unsupported && fault.reason == BAD_BYTES => None,
            Verdict::Broken(fault) => Some(fault),
            Verdict::Undecided(why) if self.encoding.is_none() => return Err(why),
            _ => None,
        };
        // The error that ended the reading stands for all that is wrong from its place on.
        let limit = match end {
            Outcome::Failed(error) if is_end(error.kind()) => error.position(),
            _ => None,
        };
        let is_before = |fault: &Fault| limit.is_none_or(|limit| fault.place.byte < limit.byte());
        let fault = fault.filter(is_before);
        Ok(match (self.encoding, fault) {
            (Some(declared), _) => Some(Finding {
                hidden: entries,
                message: message(&declared.message, Some(&declared), &cost(entries, entries)),
                ..at_place_of(&declared)
            }),
            (None, Some(fault)) => Some(of_fault(&fault, self.taken.as_ref(), entries)),
            (None, None) => None,
        })
    }
}

/// The place of a violation, in bytes.
fn range(finding: &Finding) -> Option<Range<u64>> {
    let (issue, start) = (finding.issue.as_ref()?, finding.position?.byte());
    Some(start..start + issue.violation.found().len() as u64)
}

/// Returns `true` if findings of the rule can be part of the one that a document is not well-formed.
pub(crate) fn hidden_by_xml(rule: &FindingRule) -> bool {
    rule.name.parse().is_ok_and(may_be_of_xml)
}

/// Rules whose violation can be where a document stops being well-formed.
fn may_be_of_xml(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::UndeclaredPrefix
            | Rule::BareAmpersand
            | Rule::UnknownEntity
            | Rule::MismatchedTag
            | Rule::UnclosedEntry
            | Rule::MalformedMarkup
            | Rule::InvalidCharacter
            | Rule::WrongCase
            | Rule::StrayText
            | Rule::Doctype
            | Rule::SecondRoot
            | Rule::ContentAfterRoot
            | Rule::ContentBeforeDeclaration
            | Rule::EncodingConflict
    )
}

fn is_end(kind: &ErrorKind) -> bool {
    use ErrorKind::{NotASitemap, Truncated, UnknownRoot};
    matches!(kind, UnknownRoot(_) | NotASitemap(_) | Truncated)
}

fn of_fault(fault: &Fault, taken: Option<&Finding>, entries: u64) -> Finding {
    let behind = entries.saturating_sub(fault.entries);
    let number = fault.entries + u64::from(fault.is_in_entry);
    let place = fault.place;
    let mut cost = cost(behind, entries);
    if fault.is_in_entry && behind > 0 {
        cost.push_str(", this one included");
    }
    let finding = taken.map_or_else(|| Finding::new(rule!("not-well-formed"), ""), at_place_of);
    Finding {
        position: position(place.byte, place.line, place.column, number),
        not_well_formed: true,
        hidden: behind,
        message: message(&fault.reason, taken, &cost),
        ..finding
    }
}

/// The finding in place of one of the lenient reader.
fn at_place_of(taken: &Finding) -> Finding {
    Finding {
        position: taken.position,
        effect: taken.effect,
        line: taken.excerpt_line(),
        page: taken.page.clone(),
        not_well_formed: true,
        ..Finding::new(rule!("not-well-formed"), "")
    }
}

/// The reason, the rule of the lenient reader, and the cost.
fn message(reason: &str, taken: Option<&Finding>, cost: &str) -> String {
    let rule = taken
        .map(|taken| format!(" ({})", taken.rule.name))
        .unwrap_or_default();
    format!("not well-formed XML: {reason}{rule}; {cost}")
}

/// The entries after the place, which an XML parser does not read.
fn cost(behind: u64, entries: u64) -> String {
    match behind {
        0 => "no entry follows".to_owned(),
        behind => {
            let follow = if behind == 1 { "follows" } else { "follow" };
            let entries = Count(entries, "entry");
            format!("{} of {entries} {follow}", Grouped(behind))
        }
    }
}
