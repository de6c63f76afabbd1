//! Texts that stay the same over many rows.

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType};

use super::cell::{Cell, Strings};
use super::text::{OFFSET, Text};

/// Texts that stay the same over many rows: the name of a file, the kind of its entries.
///
/// In a large file, a batch has one text in all rows, and the next batch has the same one. Such an array is built once,
/// and the batches share it.
#[derive(Debug)]
pub(crate) struct Runs {
    /// The runs that have ended, if there are any.
    texts: Text,
    has_ended: bool,
    open: Option<Run>,
    /// The last batch, if it was one run.
    last: Option<(Run, ArrayRef)>,
}

#[derive(Debug, PartialEq, Eq)]
struct Run {
    text: Option<Box<str>>,
    rows: usize,
}

impl Runs {
    fn end(&mut self) {
        if let Some(run) = self.open.take_if(|run| run.rows > 0) {
            self.texts.append_many(run.text.as_deref(), run.rows);
            self.has_ended = true;
        }
    }
}

impl Cell for Runs {
    type Value<'a> = Option<&'a str>;

    fn new(strings: Strings) -> Self {
        Self {
            texts: Text::new(strings),
            has_ended: false,
            open: None,
            last: None,
        }
    }

    fn data_type(strings: Strings) -> DataType {
        Text::data_type(strings)
    }

    /// Rows are counted by the run.
    #[inline]
    fn append(&mut self, _: Option<&str>) -> usize {
        0
    }

    fn begin_run(&mut self, text: Option<&str>) -> usize {
        if !matches!(&self.open, Some(run) if run.text.as_deref() == text) {
            self.end();
            let text = text.map(Into::into);
            self.open = Some(Run { text, rows: 0 });
        }
        OFFSET + text.map_or(0, str::len)
    }

    fn end_run(&mut self, rows: usize) {
        if let Some(run) = &mut self.open {
            run.rows += rows;
        }
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let is_one = !self.has_ended;
        let Some(run) = self.open.take_if(|run| is_one && run.rows > 0) else {
            self.end();
            self.open = None;
            self.has_ended = false;
            self.last = None;
            return self.texts.finish();
        };
        match &self.last {
            Some((last, array)) if *last == run => return Ok(array.clone()),
            _ => self.last = None,
        }
        self.texts.append_many(run.text.as_deref(), run.rows);
        let array = self.texts.finish()?;
        self.last = Some((run, array.clone()));
        Ok(array)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;

    use super::*;

    /// Fills a batch with these runs.
    fn batch(runs: &mut Runs, of: &[(Option<&str>, usize)]) -> ArrayRef {
        for (text, rows) in of {
            runs.begin_run(*text);
            runs.end_run(*rows);
        }
        let array = runs.finish().unwrap();
        let expected = of
            .iter()
            .flat_map(|(text, rows)| std::iter::repeat_n(*text, *rows));
        let found: Vec<_> = match array.as_string_opt::<i32>() {
            Some(texts) => texts.iter().collect(),
            None => array.as_string_view().iter().collect(),
        };
        assert_eq!(found, expected.collect::<Vec<_>>());
        array
    }

    #[test]
    fn equal_batches_of_one_run_share_their_memory() {
        for strings in [Strings::Utf8, Strings::Views] {
            let mut runs = Runs::new(strings);
            for of in [
                &[(Some("a"), 40)][..],
                &[(Some("a"), 39), (Some("a"), 0), (Some("a"), 1)],
                &[(None, 7)],
            ] {
                let first = batch(&mut runs, of);
                let second = batch(&mut runs, of);
                assert!(first.to_data().ptr_eq(&second.to_data()));
            }
        }
    }

    #[test]
    fn a_batch_has_its_own_texts_whatever_came_before() {
        for strings in [Strings::Utf8, Strings::Views] {
            let mut runs = Runs::new(strings);
            for of in [
                &[(Some("a"), 5)][..],
                &[(Some("b"), 5)],
                &[(Some("b"), 4)],
                &[(None, 4)],
                &[(Some(""), 4)],
                &[
                    (Some("b"), 4),
                    (None, 1),
                    (Some("long enough for a buffer"), 3),
                ],
                &[(Some("b"), 4), (Some("c"), 4)],
                &[(Some("b"), 4)],
                &[],
                &[(Some("b"), 3)],
            ] {
                batch(&mut runs, of);
            }
        }
    }
}
