//! The fields of a `UrlEntry` that contain extensions: what the file of each extension implements.

use url::Url;

use crate::interpret::Interpreter;
use crate::raw::RawElement;
use crate::violation::Violation;
use crate::xml::writer::XmlWriter;

/// A field for an extension: `Vec<Image>`, `Option<Box<News>>`.
pub(crate) trait ExtensionField: Count {
    /// Adds the value of an element of the extension, whose namespace has been checked (except for alternates).
    ///
    /// An incomplete value is kept. Violations are reported.
    fn read(&mut self, element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Claim;

    /// Writes all of the values, in the order of the schema.
    ///
    /// # Errors
    ///
    /// The first violation: nothing is written that could not be read without an issue.
    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation>;

    /// Adds all URLs in the values.
    fn collect_urls<'u>(&'u mut self, urls: &mut Vec<&'u mut Url>);
}

/// The result of reading an element in the namespace of an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It belongs to the extension, even if it could not be used.
    Taken,
    /// It is a foreign element, which only its attributes show.
    Foreign,
}

/// Items of a list whose memory is kept when it is emptied.
const MAX_KEPT: usize = 1024;

#[inline(never)]
fn clear_list<T>(list: &mut Vec<T>) {
    list.clear();
    if list.capacity() > MAX_KEPT {
        *list = Vec::new();
    }
}

/// A list, or at most one value.
pub(crate) trait Count {
    fn count(&self) -> usize;
    fn clear(&mut self);
}

impl<T> Count for Vec<T> {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn clear(&mut self) {
        if self.capacity() > 0 {
            clear_list(self);
        }
    }
}

impl<T> Count for Option<T> {
    #[inline]
    fn count(&self) -> usize {
        usize::from(self.is_some())
    }

    fn clear(&mut self) {
        *self = None;
    }
}
