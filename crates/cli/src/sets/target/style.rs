//! `--style`: the library's style sheet next to the output.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;

use anyhow::{Context, bail};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use quick_sitemap::STYLESHEET;

use crate::disk::open_regular;
use crate::sets::replacement::Staged;
use crate::term::messages::Advised;

/// Characters that need no escape in a relative URL.
const IN_NAME: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

#[derive(Debug)]
pub(super) struct Style {
    path: PathBuf,
    href: String,
    /// It is there already.
    is_there: bool,
}

impl Style {
    /// # Errors
    ///
    /// A file of that name that this program has not written.
    pub(super) fn at(path: PathBuf) -> anyhow::Result<Self> {
        let name = path.file_name().unwrap_or_default();
        let href = percent_encode(name.as_encoded_bytes(), IN_NAME).to_string();
        let name = || path.display().to_string();
        let read = |file: File| {
            let known = file.take(STYLESHEET.len() as u64 + 1);
            BufReader::new(known)
                .bytes()
                .collect::<io::Result<Vec<_>>>()
        };
        let found = match open_regular(&path).and_then(read) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            found => Some(found.with_context(name)?),
        };
        let is_there = found.as_deref() == Some(STYLESHEET.as_bytes());
        if found.is_some_and(|found| !is_of_some_version(&found)) {
            let advice = format!(
                "nothing has been changed; use --stylesheet {href} instead of --style to keep it"
            );
            bail!(Advised::new(
                format!("{}: this is another style sheet", name()),
                advice
            ));
        }
        Ok(Self {
            path,
            href,
            is_there,
        })
    }

    /// Relative to the sitemaps, which are in the same folder.
    pub(super) fn href(&self) -> &str {
        &self.href
    }

    /// Writes the style sheet under a temporary name. It is renamed after the sitemaps, so a run that fails before has
    /// replaced nothing.
    pub(super) fn stage(&self) -> io::Result<Staged> {
        let text = STYLESHEET.as_bytes();
        Staged::new(&self.path, (!self.is_there).then_some(text))
    }
}

/// Returns `true` if the file begins like the style sheet of every version. A changed style sheet is replaced only if
/// its first line is still there, so users must remove that line from their own.
fn is_of_some_version(found: &[u8]) -> bool {
    let name = |text: &[u8]| text.split(|byte| *byte == b':').next().map(<[u8]>::to_vec);
    name(found) == name(STYLESHEET.as_bytes())
}
