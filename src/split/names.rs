use std::io;

use url::Url;

/// One part of a set, by what tells it from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PartId {
    pub(super) number: u32,
    pub(super) text: bool,
    pub(super) gzip: bool,
}

/// What the files of one set are called, on the disk and on the web.
#[derive(Debug, Clone)]
pub(super) struct Names {
    name: String,
    /// Ends with a slash.
    base: Url,
}

impl Names {
    /// # Errors
    ///
    /// A name that could leave the directory, be hidden, or read otherwise in a URL.
    pub(super) fn new(name: &str, base: &Url) -> io::Result<Self> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
        if name.is_empty() || name.len() > 100 || name.starts_with('.') || !name.bytes().all(plain)
        {
            let message = format!(
                "file name `{name}`: 1 to 100 of A-Z, a-z, 0-9, `-`, `_`, `~`, `.` are wanted, no `.` first"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(Self {
            name: name.to_owned(),
            base: base.clone(),
        })
    }

    pub(super) fn index(&self) -> String {
        format!("{}.xml", self.name)
    }

    /// The file that says which run is at work.
    pub(super) fn marker(&self) -> &str {
        &self.name
    }

    pub(super) fn part(&self, part: PartId) -> String {
        let PartId { number, text, gzip } = part;
        let format = if text { "txt" } else { "xml" };
        let gz = if gzip { ".gz" } else { "" };
        format!("{}-{number}.{format}{gz}", self.name)
    }

    /// Under which a file waits to be published; hidden from those who list the directory or serve it.
    pub(super) fn temporary(file: &str, run: &str) -> String {
        format!(".{file}.{run}.tmp")
    }

    pub(super) fn url(&self, file: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(file);
        }
        url
    }

    /// The part whose file this is, if it is spelt just as [`part`](Self::part) does.
    pub(super) fn part_of(&self, file: &str) -> Option<PartId> {
        let rest = file.strip_prefix(&*self.name)?.strip_prefix('-')?;
        let (digits, extension) = rest.split_once('.')?;
        let (text, gzip) = match extension {
            "xml" => (false, false),
            "xml.gz" => (false, true),
            "txt" => (true, false),
            "txt.gz" => (true, true),
            _ => return None,
        };
        let known = matches!(digits.as_bytes(), [b'1'..=b'9', rest @ ..] if rest.len() < 9);
        let number = digits.parse().ok().filter(|_| known)?;
        Some(PartId { number, text, gzip })
    }

    /// The part that an index means. What it says never becomes a path: only a number is taken from it.
    pub(super) fn part_at(&self, loc: &Url) -> Option<PartId> {
        let part = self.part_of(loc.as_str().strip_prefix(self.base.as_str())?)?;
        (self.url(&self.part(part)) == *loc).then_some(part)
    }

    /// The part that an index might mean, wherever it says that is: the directory may have had another URL once.
    pub(super) fn part_like(&self, loc: &Url) -> Option<PartId> {
        self.part_of(loc.path_segments()?.next_back()?)
    }

    /// The run that left this temporary file, if it is one of this set.
    pub(super) fn run_of<'f>(&self, file: &'f str) -> Option<&'f str> {
        let rest = file.strip_prefix('.')?.strip_suffix(".tmp")?;
        let (file, run) = rest.rsplit_once('.')?;
        let known = file == self.marker() || file == self.index() || self.part_of(file).is_some();
        let is_run = run.len() == 16 && run.bytes().all(|b| b.is_ascii_hexdigit());
        (known && is_run).then_some(run)
    }
}
