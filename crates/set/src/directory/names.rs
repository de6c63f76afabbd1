//! The names of a set's files (index, parts, hidden folder), and whether a file that has such a name
//! belongs to the set.

use std::error::Error;
use std::io;

use url::Url;

/// The most parts that an index can list, and so the highest number of a part.
pub(super) const MOST_PARTS: usize = 50_000;

/// Reads the digest in the name of a part, the first 16 bytes of the SHA-256 of the file: 32 hexadecimal digits in lower
/// case.
fn fingerprint(text: &str) -> Option<u128> {
    let number = u128::from_str_radix(text, 16).ok()?;
    (format!("{number:032x}") == text).then_some(number)
}

/// The properties that distinguish a part from the other parts of its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PartName {
    pub(super) number: usize,
    pub(super) fingerprint: Option<u128>,
    pub(super) text: bool,
    pub(super) gzip: bool,
}

/// The names of the files of one set (or of one group of its parts), and their URLs.
#[derive(Debug, Clone)]
pub(super) struct Names {
    name: String,
    /// Ends with a slash.
    base: Url,
}

/// The error for a setting that no set can have.
pub(super) fn invalid(message: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

impl Names {
    /// # Errors
    ///
    /// The name could leave the directory, be hidden, differ in a URL, or be the name of a part.
    pub(super) fn new(name: &str, base: &Url) -> io::Result<Self> {
        if name.len() > 100 || !is_plain(name) {
            return Err(invalid(format!(
                "file name `{name}`: it must have 1 to 100 of the characters A-Z, a-z, 0-9, `-`, `_`, `~`, `.`, and must not begin with `.`"
            )));
        }
        if let Some(set) = part_stem(name) {
            return Err(invalid(format!(
                "file name `{name}`: this is the name of a part of the set `{set}`"
            )));
        }
        Ok(Self {
            name: name.to_owned(),
            base: base.clone(),
        })
    }

    /// The names of the parts of a group in the same directory.
    pub(super) fn of_group(&self, group: &str) -> io::Result<Self> {
        Self::new(group, &self.base)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn index(&self) -> String {
        format!("{}.xml", self.name)
    }

    pub(super) fn part(&self, part: PartName) -> String {
        let format = if part.text { "txt" } else { "xml" };
        let gz = if part.gzip { ".gz" } else { "" };
        let Self { name, .. } = self;
        match part.fingerprint {
            Some(fingerprint) => format!("{name}-{}-{fingerprint:032x}.{format}{gz}", part.number),
            None => format!("{name}-{}.{format}{gz}", part.number),
        }
    }

    /// The URL of a part whose name is as long as any.
    pub(super) fn longest_url(&self, fingerprint: bool) -> Url {
        self.url(&self.part(PartName {
            number: MOST_PARTS,
            fingerprint: fingerprint.then_some(0),
            text: false,
            gzip: true,
        }))
    }

    pub(super) fn url(&self, file: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(file);
        }
        url
    }

    /// The part with this file name, if the name is exactly what [`part`](Self::part) returns.
    pub(super) fn part_of(&self, file: &str) -> Option<PartName> {
        let rest = file.strip_prefix(&*self.name)?.strip_prefix('-')?;
        let (rest, extension) = rest.split_once('.')?;
        let (text, gzip) = match extension {
            "xml" => (false, false),
            "xml.gz" => (false, true),
            "txt" => (true, false),
            "txt.gz" => (true, true),
            _ => return None,
        };
        let (digits, fingerprint) = match rest.split_once('-') {
            Some((digits, digest)) => (digits, Some(fingerprint(digest)?)),
            None => (rest, None),
        };
        let known = matches!(digits.as_bytes(), [b'1'..=b'9', rest @ ..] if rest.len() < 9);
        let number = digits.parse().ok().filter(|_| known)?;
        Some(PartName {
            number,
            fingerprint,
            text,
            gzip,
        })
    }

    /// The name of the file in this directory to which a URL in an index leads. For every URL, the result is a plain
    /// file name, which never leaves the directory.
    pub(super) fn file_at<'l>(&self, loc: &'l Url) -> Option<&'l str> {
        let file = loc.as_str().strip_prefix(self.base.as_str())?;
        is_plain(file).then_some(file)
    }
}

/// Returns `true` if this can be the name of a visible file: it cannot leave the directory, and is the same in a URL.
pub(super) fn is_plain(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain)
}

/// The hidden folder of a set. Its name ends with `.set` for every name of the set, so it is not the folder of another
/// program.
pub(super) fn hidden(set: &str) -> String {
    format!(".{set}.set")
}

/// The last segment of a URL's path.
pub(super) fn file_name(loc: &Url) -> Option<&str> {
    loc.path_segments()?.next_back()
}

/// The part of a name before `-` and a number (and perhaps a fingerprint), if the name ends with these.
fn part_stem(name: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (stem, last) = name.rsplit_once('-')?;
    if is_number(last) {
        return Some(stem);
    }
    fingerprint(last)?;
    let (stem, number) = stem.rsplit_once('-')?;
    is_number(number).then_some(stem)
}
