//! `--must-list`: URLs that have to be in the sitemaps.

use std::fs::File;
use std::io::{BufReader, Read};

use anyhow::{Context, bail};
use hashbrown::HashMap;
use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use regex_lite::Regex;

use crate::judge::finding::Finding;
use crate::judge::page_hash::PageHasher;
use crate::judge::page_key::page_key;
use crate::judge::rules::rule;
use crate::rows::{Line, Lines};
use crate::source::account::Whole;
use crate::source::input::Input;
use crate::source::span::{SourceSpan, first_line};
use crate::source::stdin;
use crate::term::clipped::clipped;

/// The lines of the file that no page was found for yet.
#[derive(Debug)]
pub(crate) struct MustList {
    pub(crate) name: String,
    /// By the hash of the key of the page, those without `*`.
    exact: HashMap<u64, Vec<Required>>,
    patterns: Vec<(Regex, Required)>,
}

#[derive(Debug)]
struct Required {
    text: String,
    place: Option<SourceSpan>,
}

impl MustList {
    /// Empty lines are ignored, and lines that begin with `#`. `*` matches any characters of a path.
    ///
    /// # Errors
    ///
    /// With the line that is not a URL, or for a file without a URL.
    pub(crate) fn read(input: &Input, hasher: &PageHasher) -> anyhow::Result<Self> {
        let name = input.to_string();
        let file: Box<dyn Read> = match input {
            Input::File(path) => Box::new(File::open(path).with_context(|| name.clone())?),
            Input::Stdin => Box::new(stdin::interruptible()),
            Input::Url(_) => bail!("{name}: --must-list is a file, not a URL"),
        };
        let mut list = Self {
            name: name.clone(),
            exact: HashMap::default(),
            patterns: Vec::new(),
        };
        let mut lines = Lines::new(BufReader::new(file));
        while let Some(line) = lines.next().with_context(|| name.clone())? {
            for text in line.text.split(|byte| *byte == b'\r') {
                let text = text.trim_ascii();
                list.add(Line { text, ..line }, hasher)
                    .with_context(|| format!("{name}:{}", line.number))?;
            }
        }
        if list.exact.is_empty() && list.patterns.is_empty() {
            bail!("{name}: there is no URL in this file");
        }
        Ok(list)
    }

    fn add(&mut self, line: Line<'_>, hasher: &PageHasher) -> anyhow::Result<()> {
        let text = std::str::from_utf8(line.text).context("this line is not UTF-8")?;
        let text = text.trim_start_matches('\u{feff}');
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        let loc = UrlEntry::try_from(text)?.loc;
        let required = Required {
            text: text.to_owned(),
            place: SourceSpan::of_row(line.byte, line.number, line.number),
        };
        let stars = |text: &str| text.matches('*').count();
        if stars(loc.as_str()) == 0 {
            let lines = self.exact.entry(hasher.of(&loc).key).or_default();
            lines.push(required);
        } else if stars(loc.as_str()) == stars(loc.path()) {
            let parts: Vec<_> = page_key(&loc).split('*').map(regex_lite::escape).collect();
            let regex = Regex::new(&format!("^{}$", parts.join("[^?#]*")))?;
            self.patterns.push((regex, required));
        } else {
            bail!("`*` is only for the path of a URL");
        }
        Ok(())
    }

    /// A page is listed; `hash` is that of its key.
    pub(crate) fn found(&mut self, hash: u64, loc: &Url) {
        self.exact.remove(&hash);
        if !self.patterns.is_empty() {
            let key = page_key(loc);
            self.patterns.retain(|(regex, _)| !regex.is_match(&key));
        }
    }

    /// The number of lines that no page was found for.
    pub(crate) fn left(&self) -> u64 {
        let exact = self.exact.values().map(Vec::len).sum::<usize>();
        (exact + self.patterns.len()) as u64
    }

    /// The lines that no page was found for, although everything was read.
    pub(crate) fn missing(self, _: Whole) -> impl Iterator<Item = Finding> {
        let patterns = self.patterns.into_iter().map(|(_, line)| line);
        let mut lines: Vec<_> = self.exact.into_values().flatten().chain(patterns).collect();
        lines.sort_by_key(|line| line.place.map(|place| place.position.byte()));
        lines.into_iter().map(|line| {
            let url = clipped(&line.text);
            let message = if line.text.contains('*') {
                format!("no page matches `{url}`")
            } else {
                format!("`{url}` is not listed")
            };
            let finding = Finding::new(rule!("missing-page"), &message).on_page(&line.text);
            Finding {
                line: Some(first_line(line.text.as_bytes())),
                ..finding.at(line.place.map(|place| place.position))
            }
        })
    }
}
