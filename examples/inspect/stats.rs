//! Figures of a whole sitemap.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use console::Style;
use quick_sitemap::{ChangeFreq, Entry, Format, Precision, Priority};

use crate::table::{Extensions, count};

/// So many directories are told apart; memory does not grow with the sitemap.
const DIRECTORIES: usize = 10_000;
/// So many are shown.
const BIGGEST: usize = 10;
/// The longest bar.
const WIDTH: u64 = 40;

/// What is counted; `None` stands for absent.
pub(crate) struct Stats {
    format: Option<Format>,
    entries: u64,
    extensions: Extensions,
    lastmod: BTreeMap<Option<String>, u64>,
    changefreq: HashMap<Option<ChangeFreq>, u64>,
    priority: BTreeMap<Option<Priority>, u64>,
    directories: HashMap<String, u64>,
}

impl Stats {
    pub(crate) fn new(format: Option<Format>) -> Self {
        Self {
            format,
            entries: 0,
            extensions: Extensions::default(),
            lastmod: BTreeMap::new(),
            changefreq: HashMap::new(),
            priority: BTreeMap::new(),
            directories: HashMap::new(),
        }
    }

    pub(crate) fn count(&mut self, entry: &Entry) {
        self.entries += 1;
        self.extensions.add(&Extensions::of(entry));
        let month = entry
            .lastmod()
            .map(|date| date.with_precision(Precision::Month).to_string());
        *self.lastmod.entry(month).or_default() += 1;
        if let Some(page) = entry.as_url() {
            *self.changefreq.entry(page.changefreq).or_default() += 1;
            *self.priority.entry(page.priority).or_default() += 1;
        }
        let directory = directory(entry);
        let has_room = self.directories.len() < DIRECTORIES;
        if let Some(count) = self.directories.get_mut(&directory) {
            *count += 1;
        } else if has_room {
            self.directories.insert(directory, 1);
        }
    }

    pub(crate) fn write(&self, out: &mut dyn Write, issues: u64) -> io::Result<()> {
        let Some(format) = self.format else {
            return Ok(());
        };
        writeln!(out, "{}", Style::new().bold().apply_to(format))?;
        write!(out, "{}", count(self.entries, "entry", "entries"))?;
        let extensions = self.extensions.to_string();
        if !extensions.is_empty() {
            write!(out, ", {extensions}")?;
        }
        match issues {
            0 => writeln!(out)?,
            _ => writeln!(out, "; {}", count(issues, "issue", "issues"))?,
        }
        if self.entries == 0 {
            return Ok(());
        }
        let none = || "none".to_owned();
        let months = self
            .lastmod
            .iter()
            .map(|(month, n)| (month.clone().unwrap_or_else(none), *n));
        bars(out, "lastmod", months.collect())?;
        if !self.priority.is_empty() {
            let order = ChangeFreq::ALL.iter().map(|word| Some(*word)).chain([None]);
            let counts = order.filter_map(|word| {
                let name = word.map_or_else(none, |word| word.to_string());
                Some((name, *self.changefreq.get(&word)?))
            });
            bars(out, "changefreq", counts.collect())?;
            let counts = self.priority.iter().rev();
            let counts =
                counts.map(|(priority, n)| (priority.map_or_else(none, |p| p.to_string()), *n));
            bars(out, "priority", counts.collect())?;
        }
        let mut biggest: Vec<(String, u64)> = self
            .directories
            .iter()
            .map(|(name, n)| (name.clone(), *n))
            .collect();
        biggest.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let total = biggest.len();
        biggest.truncate(BIGGEST);
        bars(out, "directory", biggest)?;
        if total > BIGGEST {
            let more = if total == DIRECTORIES { " or more" } else { "" };
            writeln!(out, "… of {total}{more}")?;
        }
        Ok(())
    }
}

/// Host and path up to the last slash, two levels deep at most.
fn directory(entry: &Entry) -> String {
    let url = entry.loc();
    let path = url.path();
    let end = path
        .match_indices('/')
        .take(3)
        .last()
        .map_or(0, |(slash, _)| slash + 1);
    format!(
        "{}{}",
        url.host_str().unwrap_or_default(),
        path.get(..end).unwrap_or_default()
    )
}

fn bars(out: &mut dyn Write, title: &str, counts: Vec<(String, u64)>) -> io::Result<()> {
    let name_width = counts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let most = counts.iter().map(|(_, n)| *n).max().unwrap_or(1);
    let number_width = most.to_string().len();
    writeln!(out, "\n{}", Style::new().dim().apply_to(title))?;
    for (name, number) in counts {
        // What is there shows, however little it is.
        let bar = "█".repeat((number * WIDTH).div_ceil(most) as usize);
        let bar = Style::new().cyan().apply_to(bar);
        writeln!(out, "  {name:name_width$}  {number:number_width$}  {bar}")?;
    }
    Ok(())
}
