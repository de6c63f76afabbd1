//! `--must-list`: URLs that have to be in the sitemaps.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};

use anyhow::{Context, bail};
use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use regex_lite::Regex;

use crate::judge::finding::Finding;
use crate::judge::page_key::page_key;
use crate::judge::rules::rule;
use crate::rows::Lines;
use crate::source::input::Input;
use crate::source::span::{SourceSpan, first_line};
use crate::source::stdin;
use crate::term::clipped::clipped;

/// The lines of the file, and which of them were not found yet.
#[derive(Debug)]
pub(crate) struct MustList {
    pub(crate) name: String,
    lines: Vec<Required>,
    /// By the key of the page, those without `*`.
    exact: HashMap<String, Vec<usize>>,
    patterns: Vec<(Regex, usize)>,
}

#[derive(Debug)]
struct Required {
    text: String,
    place: Option<SourceSpan>,
    is_found: bool,
}

impl MustList {
    /// Empty lines are ignored, and lines that begin with `#`. `*` matches any characters of a path.
    ///
    /// # Errors
    ///
    /// With the line that is not a URL, or for a file without a URL.
    pub(crate) fn read(input: &Input) -> anyhow::Result<Self> {
        let name = input.to_string();
        let file: Box<dyn Read> = match input {
            Input::File(path) => Box::new(File::open(path).with_context(|| name.clone())?),
            Input::Stdin => Box::new(stdin::interruptible()),
            Input::Url(_) => bail!("{name}: --must-list is a file, not a URL"),
        };
        let mut list = Self {
            name: name.clone(),
            lines: Vec::new(),
            exact: HashMap::new(),
            patterns: Vec::new(),
        };
        let mut lines = Lines::new(BufReader::new(file));
        while let Some(line) = lines.next().with_context(|| name.clone())? {
            let number = line.number;
            let Ok(text) = std::str::from_utf8(line.text) else {
                bail!("{name}:{number}: this line is not UTF-8");
            };
            let text = text.trim_start_matches('\u{feff}');
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let loc = match UrlEntry::try_from(text) {
                Ok(entry) => entry.loc,
                Err(violation) => bail!("{name}:{number}: {violation}"),
            };
            let index = list.lines.len();
            match (loc.path().contains('*'), loc.as_str().contains('*')) {
                (_, false) => {
                    let key = page_key(&loc).into_owned();
                    list.exact.entry(key).or_default().push(index);
                }
                (true, _)
                    if loc.as_str().matches('*').count() == loc.path().matches('*').count() =>
                {
                    let key = page_key(&loc);
                    let parts: Vec<_> = key.split('*').map(regex_lite::escape).collect();
                    let regex = format!("^{}$", parts.join("[^?#]*"));
                    let regex = Regex::new(&regex).with_context(|| format!("{name}:{number}"))?;
                    list.patterns.push((regex, index));
                }
                _ => bail!("{name}:{number}: `*` is only for the path of a URL"),
            }
            list.lines.push(Required {
                text: text.to_owned(),
                place: SourceSpan::of_row(line.byte, number, number),
                is_found: false,
            });
        }
        if list.lines.is_empty() {
            bail!("{name}: there is no URL in this file");
        }
        Ok(list)
    }

    /// A page is listed.
    pub(crate) fn found(&mut self, loc: &Url) {
        let lines = &mut self.lines;
        let mut mark = |index: usize| {
            if let Some(line) = lines.get_mut(index) {
                line.is_found = true;
            }
        };
        let key = page_key(loc);
        for index in self.exact.remove(&*key).into_iter().flatten() {
            mark(index);
        }
        self.patterns.retain(|(regex, index)| {
            let is_match = regex.is_match(&key);
            if is_match {
                mark(*index);
            }
            !is_match
        });
    }

    /// The lines that no page was found for.
    pub(crate) fn missing(&self) -> impl Iterator<Item = Finding> {
        let missing = self.lines.iter().filter(|line| !line.is_found);
        missing.map(|line| {
            let url = clipped(&line.text);
            let message = if line.text.contains('*') {
                format!("no page matches `{url}`")
            } else {
                format!("`{url}` is not listed")
            };
            Finding {
                position: line.place.map(|place| place.position),
                line: Some(first_line(line.text.as_bytes())),
                ..Finding::new(rule!("missing-page"), &message).on_page(&line.text)
            }
        })
    }
}
