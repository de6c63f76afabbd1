//! The names of a set's files (index, parts, hidden folder), and whether a file that has such a name
//! belongs to the set.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;

use percent_encoding::percent_decode_str;
use url::Url;

use crate::files::at;

/// The most parts that an index can list, and so the highest number of a part.
pub(super) const MOST_PARTS: usize = 50_000;

/// Reads the digest in the name of a part, the first 16 bytes of the SHA-256 of the file: 32 hexadecimal digits in lower
/// case.
fn fingerprint(text: &str) -> Option<u128> {
    let number = u128::from_str_radix(text, 16).ok()?;
    (format!("{number:032x}") == text).then_some(number)
}

/// What distinguishes a part from the other parts of its group: its number and its fingerprint.
pub(super) type PartKey = (usize, Option<u128>);

/// The endings of parts.
const ENDINGS: [&str; 4] = [".xml.gz", ".txt.gz", ".xml", ".txt"];

/// The ending of the parts of a set.
pub(super) const fn ending(is_text: bool, gzip: bool) -> &'static str {
    match (is_text, gzip) {
        (false, false) => ".xml",
        (false, true) => ".xml.gz",
        (true, false) => ".txt",
        (true, true) => ".txt.gz",
    }
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
        if let Some((set, ..)) = split(name) {
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

    pub(super) fn part(&self, (number, fingerprint): PartKey, ending: &str) -> String {
        let Self { name, .. } = self;
        match fingerprint {
            Some(fingerprint) => format!("{name}-{number}-{fingerprint:032x}{ending}"),
            None => format!("{name}-{number}{ending}"),
        }
    }

    /// The URL of a part whose name is as long as any.
    pub(super) fn longest_url(&self, fingerprint: bool) -> Url {
        let key = (MOST_PARTS, fingerprint.then_some(0));
        self.url(&self.part(key, ending(false, true)))
    }

    pub(super) fn url(&self, file: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(file);
        }
        url
    }

    /// The number of the part with this file name, if the name is exactly what [`part`](Self::part) returns.
    pub(super) fn number_of(&self, file: &str) -> Option<usize> {
        let (name, (number, _)) = parse(file)?;
        (name == self.name).then_some(number)
    }

    /// The parts in the folder whose numbers follow each other from 1 on.
    pub(super) fn series(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let file = entry.map_err(at(folder))?.file_name();
            let file = file.to_string_lossy();
            if let Some(number) = self.number_of(&file) {
                found.entry(number).or_default().push(file.into_owned());
            }
        }
        let numbered = found.into_iter().zip(1..);
        let series = numbered.take_while(|((number, _), expected)| number == expected);
        Ok(series.flat_map(|((_, files), _)| files).collect())
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

/// The name of the set or the group of a part, if a part can have this file name.
pub(super) fn parse(file: &str) -> Option<(&str, PartKey)> {
    let mut stems = ENDINGS.iter().filter_map(|end| file.strip_suffix(end));
    let (name, digits, fingerprint) = split(stems.next()?)?;
    let known = matches!(digits.as_bytes(), [b'1'..=b'9', rest @ ..] if rest.len() < 9);
    let number = digits.parse().ok().filter(|_| known && is_plain(name))?;
    Some((name, (number, fingerprint)))
}

/// The hidden folder of a set. Its name ends with `.set` for every name of the set, so it is not the folder of another
/// program.
pub(super) fn hidden(set: &str) -> String {
    format!(".{set}.set")
}

/// The name of the file to which a loc leads, wherever its folder is: the last segment of its path, decoded. The loc can
/// also be relative.
pub(super) fn file_name(loc: &str) -> String {
    let path = loc.split(['?', '#']).next().unwrap_or(loc);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    percent_decode_str(name).decode_utf8_lossy().into_owned()
}

/// Splits a name that ends with `-` and a number (and perhaps a fingerprint).
fn split(stem: &str) -> Option<(&str, &str, Option<u128>)> {
    let (name, last) = stem.rsplit_once('-')?;
    let fingerprint = fingerprint(last);
    let (name, digits) = match fingerprint.and_then(|_| name.rsplit_once('-')) {
        Some((name, digits)) => (name, digits),
        None => (name, last),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some((name, digits, fingerprint))
}
