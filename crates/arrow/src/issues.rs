//! The structs in the list of issues.

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType};
use quick_sitemap::{Issue, Violation};

use crate::cells::{Cell, Integer, Strings, Text, record};
use crate::source_name::message;

record! {
    IssueRecord of Issue {
        rule "rule": Text = |issue| Some(issue.rule().name()),
        effect "effect": Text = |issue| Some(issue.effect.name()),
        message "message": Message = |issue| &issue.violation,
        line "line": Integer = |issue| i64::try_from(issue.position.line()).ok(),
        column "column": Integer = |issue| i64::try_from(issue.position.column()).ok(),
        byte "byte": Integer = |issue| i64::try_from(issue.position.byte()).ok(),
    }
}

/// The messages of violations, without positions and effects.
#[derive(Debug)]
pub(crate) struct Message(Text);

impl Cell for Message {
    type Value<'a> = &'a Violation;

    fn new(strings: Strings) -> Self {
        Self(Text::new(strings))
    }

    fn data_type(strings: Strings) -> DataType {
        Text::data_type(strings)
    }

    fn append(&mut self, violation: &Violation) -> usize {
        self.0.append(Some(&message(&violation.to_string())))
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.0.finish()
    }
}
