//! Since when the content of each page is the same: the file of `--state`.
//!
//! It has one line per page, sorted by URL, so that it can be committed, and a last line that seals the others, because a
//! cut file would look like one with fewer pages. It is put in place after the set. If a run is killed in between, the file is the older one, and the next run finds the same
//! changes again.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufReader};
use std::path::Path;

use anyhow::{Context, bail};
use quick_sitemap::url::Url;
use quick_sitemap::{UrlEntry, W3cDatetime};
use serde::{Deserialize, Serialize};

use super::listed::ListedPage;
use crate::disk::open_regular;
use crate::rows::sealed::{Seal, Sealing};
use crate::rows::{Lines, without_line};
use crate::term::json;
use crate::term::messages::Advised;

/// The form that is hashed, with which each `content` begins. Digests of different forms cannot be compared.
const VERSION: &str = "1-";

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct StateLine {
    loc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    lastmod: Option<W3cDatetime>,
    /// The version of the form, `-`, and the digest in hexadecimal.
    content: String,
    /// `--content`
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
}

impl StateLine {
    /// # Errors
    ///
    /// If the line is something else.
    fn read(text: &[u8], place: &str) -> anyhow::Result<Self> {
        let known: Self = match serde_json::from_slice(text) {
            Ok(known) => known,
            Err(_)
                if [b"<<<<<<<", b">>>>>>>"]
                    .iter()
                    .any(|mark| text.starts_with(*mark)) =>
            {
                bail!("{place}: this is the mark of a merge conflict")
            }
            Err(error) => bail!(
                "{place}: this line is no page of a state: {}",
                without_line(&error)
            ),
        };
        let is_digest = |digest: &str| {
            digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        match known.content.split_once('-') {
            None => bail!("{place}: `content` is not VERSION-DIGEST"),
            Some(("1", digest)) if !is_digest(digest) => {
                bail!("{place}: `content` has no digest of 32 digits")
            }
            Some(_) => {}
        }
        Ok(known)
    }
}

/// The state before this run, and the one after it.
#[derive(Debug)]
pub(crate) struct State {
    /// By their URLs.
    former: HashMap<String, StateLine>,
    /// `--content` of this run.
    of: Option<String>,
    /// The bytes of the file, if there is one.
    text: Option<Vec<u8>>,
    pages: BTreeMap<String, StateLine>,
    pub(crate) counts: Counts,
}

/// The results of comparing the pages of this run with the state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) new: u64,
    pub(crate) changed: u64,
    pub(crate) moved: u64,
    pub(crate) same: u64,
    /// Pages of the file that are not there any more, and have not moved.
    pub(crate) gone: u64,
    /// Digests that cannot be compared, because they were made with another `--content` or by another version.
    pub(crate) not_compared: u64,
    /// Pages without text, of which nothing is known but that their titles and descriptions are the same.
    pub(crate) blank: u64,
}

impl State {
    /// # Errors
    ///
    /// With the line that is wrong. A file that does not exist is an empty one.
    pub(crate) fn read(path: &Path, of: Option<String>) -> anyhow::Result<Self> {
        let mut state = Self {
            former: HashMap::new(),
            of,
            text: None,
            pages: BTreeMap::new(),
            counts: Counts::default(),
        };
        let name = path.display();
        let mut text = Vec::new();
        match open_regular(path).and_then(|mut file| io::copy(&mut file, &mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(state),
            Err(error) => return Err(error).with_context(|| name.to_string()),
        }
        let mut lines = Lines::new(BufReader::new(text.as_slice()));
        let (mut sealing, mut is_sealed) = (Sealing::default(), false);
        while let Some(line) = lines.next().with_context(|| name.to_string())? {
            let place = format!("{name}:{}", line.number);
            if is_sealed {
                bail!("{place}: this line follows the last one");
            }
            if let Some(seal) = Seal::of(line.text) {
                seal.check(&sealing).context(place)?;
                is_sealed = true;
                continue;
            }
            sealing.line(line.text);
            let known = StateLine::read(line.text, &place)?;
            if let Some(twice) = state.former.insert(known.loc.clone(), known) {
                bail!("{place}: {} is already on a line before", twice.loc);
            }
        }
        if !is_sealed {
            bail!(Advised::new(
                format!("{name}: its end is missing, so pages may be missing, too"),
                "take the file from before it was cut, or delete it to begin anew",
            ));
        }
        state.text = Some(text);
        Ok(state)
    }

    pub(crate) fn is_new(&self) -> bool {
        self.text.is_none()
    }

    /// Sets the date of each of these pages, which are all pages of this run and have the date for an unknown one.
    /// `on_change` gets a page whose line is not as it was, and the reason.
    pub(crate) fn date(
        &mut self,
        pages: &mut [ListedPage],
        now: W3cDatetime,
        on_change: &mut dyn FnMut(&Url, &str),
    ) {
        let lines = pages.iter().map(|page| self.line(page));
        self.pages = lines.map(|line| (line.loc.clone(), line)).collect();
        let gone = self.gone();
        for page in pages.iter_mut() {
            let UrlEntry { loc, lastmod, .. } = &mut page.entry;
            let Some(line) = self.pages.get_mut(loc.as_str()) else {
                continue;
            };
            let count = &mut self.counts;
            *lastmod = match self.former.get(loc.as_str()) {
                Some(known) if !known.content.starts_with(VERSION) || known.of != self.of => {
                    count.not_compared += 1;
                    known.lastmod
                }
                Some(known) if known.content == line.content => {
                    let same = if page.is_blank {
                        &mut count.blank
                    } else {
                        &mut count.same
                    };
                    *same += 1;
                    // A page may have got a date of its own since.
                    known.lastmod.or(*lastmod)
                }
                Some(known) => {
                    count.changed += 1;
                    let since = known.lastmod.map(|date| format!(" since {date}"));
                    let since = since.unwrap_or_default();
                    let why = format!("changed: its content is not the one that it had{since}");
                    on_change(loc, &why);
                    Some(now)
                }
                None => match gone.get(&line.content).filter(|_| !page.is_blank) {
                    Some(date) => {
                        count.moved += 1;
                        on_change(loc, "moved: a page that is gone had the same content");
                        date.or(*lastmod)
                    }
                    None => {
                        count.new += 1;
                        if self.text.is_some() {
                            on_change(loc, "new: the state does not list it");
                        }
                        *lastmod
                    }
                },
            };
            line.lastmod = *lastmod;
        }
        let former = self.former.keys();
        let absent = former.filter(|loc| !self.pages.contains_key(*loc)).count();
        self.counts.gone = (absent as u64).saturating_sub(self.counts.moved);
    }

    /// The line of a page of this run, without its date.
    fn line(&self, page: &ListedPage) -> StateLine {
        StateLine {
            loc: page.entry.loc.to_string(),
            lastmod: None,
            content: format!("{VERSION}{}", page.content.as_deref().unwrap_or_default()),
            of: self.of.clone(),
        }
    }

    /// Content whose page is gone. If several such pages had the same content, the latest date counts.
    fn gone(&self) -> HashMap<String, Option<W3cDatetime>> {
        let mut gone: HashMap<String, Option<W3cDatetime>> = HashMap::new();
        let former = self.former.values();
        for known in
            former.filter(|known| known.of == self.of && !self.pages.contains_key(&known.loc))
        {
            let date = gone.entry(known.content.clone()).or_default();
            let start = |date: &W3cDatetime| date.start();
            *date = (*date).into_iter().chain(known.lastmod).max_by_key(start);
        }
        gone
    }

    /// The pages before this run, with their dates.
    pub(crate) fn former(&self) -> Vec<UrlEntry> {
        let pages = self.former.values().filter_map(|known| {
            let mut page = UrlEntry::try_from(known.loc.as_str()).ok()?;
            page.lastmod = known.lastmod;
            Some(page)
        });
        pages.collect()
    }

    /// The text of the file after this run. `None` if it stays as it is.
    pub(crate) fn text(self) -> io::Result<Option<Vec<u8>>> {
        let (mut text, mut sealing) = (Vec::new(), Sealing::default());
        for line in self.pages.values() {
            let start = text.len();
            json::write(&mut text, line)?;
            sealing.line(text.get(start..).unwrap_or_default());
            text.push(b'\n');
        }
        json::write(&mut text, &sealing.seal())?;
        text.push(b'\n');
        let is_same = self.text.is_some_and(|before| before == text);
        Ok((!is_same).then_some(text))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn digest(number: u8) -> String {
        format!("{number:032x}")
    }

    fn date(text: &str) -> Option<W3cDatetime> {
        Some(text.parse().unwrap())
    }

    fn run(
        path: &Path,
        of: Option<&str>,
        pages: &[(&str, u8, Option<&str>)],
        now: &str,
    ) -> (Vec<String>, Counts) {
        let mut state = State::read(path, of.map(ToOwned::to_owned)).unwrap();
        let mut pages: Vec<_> = pages
            .iter()
            .map(|(loc, content, first)| {
                let mut entry = UrlEntry::try_from(&*format!("https://e.com/{loc}")).unwrap();
                entry.lastmod = first.and_then(date);
                ListedPage {
                    folder: 0,
                    name: String::new(),
                    entry,
                    language: None,
                    alternates: Vec::new(),
                    is_blank: false,
                    content: Some(digest(*content)),
                }
            })
            .collect();
        state.date(&mut pages, now.parse().unwrap(), &mut |_, _| ());
        let counts = state.counts;
        if let Some(text) = state.text().unwrap() {
            fs::write(path, text).unwrap();
        }
        let dates = pages.iter().map(|page| page.entry.lastmod);
        let shown = dates
            .map(|date| date.map(|date| date.to_string()).unwrap_or_default())
            .collect();
        (shown, counts)
    }

    #[test]
    fn a_page_keeps_its_date_until_its_content_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.jsonl");
        let (dates, counts) = run(
            &path,
            None,
            &[("b", 1, None), ("a", 2, Some("2020"))],
            "2025-01-01",
        );
        assert_eq!(dates, ["", "2020"]);
        assert_eq!(counts.new, 2);
        let text = fs::read_to_string(&path).unwrap();
        let (before, digest) = text.rsplit_once("\"digest\":\"").unwrap();
        let digest = digest.trim_end_matches("\"}\n");
        assert_eq!(digest.len(), 32, "{before}");
        assert_eq!(
            text.replace(digest, "DIGEST"),
            "{\"loc\":\"https://e.com/a\",\"lastmod\":\"2020\",\"content\":\"1-00000000000000000000000000000002\"}\n\
             {\"loc\":\"https://e.com/b\",\"content\":\"1-00000000000000000000000000000001\"}\n\
             {\"sealed\":1,\"lines\":2,\"digest\":\"DIGEST\"}\n"
        );
        // The same content, and another date of its own.
        let (dates, counts) = run(
            &path,
            None,
            &[("a", 2, Some("2024")), ("b", 1, None)],
            "2025-02-01",
        );
        assert_eq!(
            (dates, counts.same),
            (vec!["2020".to_owned(), String::new()], 2)
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        let (dates, counts) = run(
            &path,
            None,
            &[("a", 2, None), ("b", 3, Some("2024"))],
            "2025-03-01",
        );
        assert_eq!(
            (dates, counts.changed),
            (vec!["2020".to_owned(), "2025-03-01".to_owned()], 1)
        );
        // `b` is elsewhere now; a copy of `a` is not a moved page.
        let pages = [("a", 2, None), ("c", 3, None), ("d", 2, Some("2023"))];
        let (dates, counts) = run(&path, None, &pages, "2025-04-01");
        assert_eq!(dates, ["2020", "2025-03-01", "2023"]);
        assert_eq!((counts.moved, counts.new, counts.gone), (1, 1, 0));
        // Another `--content`: what changes at the same time is not known.
        let (dates, counts) = run(&path, Some("main"), &[("a", 9, None)], "2025-05-01");
        assert_eq!(
            (dates, counts.not_compared, counts.gone),
            (vec!["2020".to_owned()], 1, 2)
        );
        let (dates, _) = run(&path, Some("main"), &[("a", 8, None)], "2025-06-01");
        assert_eq!(dates, ["2025-06-01"]);
    }

    #[test]
    fn a_damaged_state_is_an_error_at_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.jsonl");
        let good = "{\"loc\":\"a\",\"content\":\"1-00000000000000000000000000000002\"}\n";
        for (text, error) in [
            ("<<<<<<< HEAD\n", ":2: this is the mark of a merge conflict"),
            (
                "{\"loc\":\"b\"}\n",
                ":2: this line is no page of a state: missing field `content`",
            ),
            (
                "{\"loc\":\"b\",\"content\":\"x\"}",
                ":2: `content` is not VERSION-DIGEST",
            ),
            (
                "{\"loc\":\"b\",\"content\":\"1-x\"}",
                ":2: `content` has no digest",
            ),
            (
                "{\"loc\":\"b\",\"content\":\"1-x\",\"more\":1}",
                ":2: `content` has no digest",
            ),
            (
                "{\"loc\":\"b\",\"lastmod\":\"soon\",\"content\":\"1-x\"}",
                ":2: this line is no page",
            ),
            (good, ":2: a is already on a line before"),
            ("", ": its end is missing, so pages may be missing, too"),
            (
                "{\"sealed\":1,\"lines\":2,\"digest\":\"\"}",
                ":2: it has 1 lines, but 2 were written",
            ),
        ] {
            fs::write(&path, format!("{good}{text}")).unwrap();
            let found = format!("{:#}", State::read(&path, None).unwrap_err());
            assert!(found.contains(error), "{found}");
        }
        fs::write(&path, "").unwrap();
        assert!(State::read(&path, None).is_err());
        // A newer state file: use only its date, and ignore other fields.
        let line =
            "{\"loc\":\"https://e.com/a\",\"lastmod\":\"2020\",\"content\":\"2-x\",\"more\":1}";
        let mut sealing = Sealing::default();
        sealing.line(line.as_bytes());
        let seal = json::text(&sealing.seal()).unwrap();
        fs::write(&path, format!("{line}\n{seal}\n")).unwrap();
        let (dates, _) = run(&path, None, &[("a", 1, None)], "2025-01-01");
        assert_eq!(dates, ["2020"]);
    }
}
