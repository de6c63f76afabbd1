//! A folder of HTML files.

use std::path::Path;
use std::{fs, io};

use anyhow::{Context, bail};
use clap::Args;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use quick_sitemap::url::Url;
use quick_sitemap::{UrlEntry, W3cDatetime};

use super::git;
use super::sink::{Line, Sink};
use crate::count::Count;
use crate::folder::walk::Walk;
use crate::html::{self, Head};
use crate::interrupt;

#[derive(Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Folders of HTML files")]
pub(super) struct Options {
    /// Use the date of a file's last commit as its lastmod, instead of its modification time
    #[arg(long, conflicts_with = "no_lastmod")]
    git: bool,

    /// Write no lastmod
    #[arg(long)]
    no_lastmod: bool,

    /// The site serves about.html as /about
    #[arg(long)]
    clean_urls: bool,
}

/// What may stand in a path as it is.
const IN_PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// What was left out, and the first of each kind.
#[derive(Default)]
struct LeftOut {
    noindex: u64,
    elsewhere: u64,
    first_elsewhere: String,
    uncommitted: u64,
}

/// The HTML files in the folder and below it, sorted by name.
pub(super) fn read(folder: &Path, options: &Options, sink: &mut Sink<'_>) -> anyhow::Result<()> {
    let Some(base) = sink.base else {
        bail!(
            "{}: a folder of HTML files needs --base, the URL of the folder",
            folder.display()
        );
    };
    let mut base = base.clone();
    base.set_query(None);
    base.set_fragment(None);
    if let Ok(mut segments) = base.path_segments_mut() {
        segments.pop_if_empty().push("");
    }
    let dates = match options.git {
        true => Some(git::dates(folder)?),
        false => None,
    };
    if options.git && git::is_shallow(folder) {
        sink.messages.warning(format_args!(
            "{}: this is a shallow clone, so dates can be wrong; `git fetch --unshallow` fetches the missing commits",
            folder.display()
        ));
    }
    let mut walk = Walk::new(folder).with_context(|| folder.display().to_string())?;
    let mut left_out = LeftOut::default();
    let mut found = 0;
    for file in walk.by_ref() {
        interrupt::check()?;
        let file = file?;
        if !is_html(&file.path) {
            continue;
        }
        found += 1;
        let name = file.path.display().to_string();
        let head = html::read(&file.path).with_context(|| name.clone())?;
        if head.is_noindex {
            left_out.noindex += 1;
            continue;
        }
        let Some(path) = url_path(&file.relative, options.clean_urls) else {
            bail!("{name}: this name cannot be part of a URL");
        };
        let loc = Url::parse(&format!("{base}{path}")).with_context(|| name.clone())?;
        let loc = match canonical(&head, &loc) {
            None => loc,
            Some(canonical) if is_same_page(&canonical, &loc) => canonical,
            Some(canonical) => {
                left_out.elsewhere += 1;
                if left_out.elsewhere == 1 {
                    left_out.first_elsewhere = format!("{name} to {canonical}");
                }
                continue;
            }
        };
        let mut entry = UrlEntry::new(loc);
        entry.lastmod = match &dates {
            _ if options.no_lastmod => None,
            Some(dates) => {
                let date = dates.get(&git_path(&file.relative)).copied();
                left_out.uncommitted += u64::from(date.is_none());
                date
            }
            None => Some(modified(&file.path).with_context(|| name.clone())?),
        };
        let place = Line {
            file: &name,
            number: 0,
        };
        sink.page(entry, place)?;
    }
    walk.say_left_out(sink.messages);
    if found == 0 {
        bail!("{}: there is no HTML file in this folder", folder.display());
    }
    say(folder, &left_out, sink);
    Ok(())
}

fn say(folder: &Path, left_out: &LeftOut, sink: &Sink<'_>) {
    let folder = folder.display();
    if left_out.noindex > 0 {
        let pages = Count(left_out.noindex, "page");
        sink.messages.note(format_args!(
            "{folder}: {pages} left out because of `noindex`"
        ));
    }
    if left_out.elsewhere > 0 {
        sink.messages.note(format_args!(
            "{folder}: {} left out because of a canonical link to another page: {}{}",
            Count(left_out.elsewhere, "page"),
            left_out.first_elsewhere,
            if left_out.elsewhere > 1 { ", …" } else { "" },
        ));
    }
    if left_out.uncommitted > 0 {
        sink.messages.note(format_args!(
            "{folder}: {} without lastmod, because of files that are not committed",
            Count(left_out.uncommitted, "page")
        ));
    }
}

fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        ["html", "htm", "xhtml"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// `a b/index.html` is `a%20b/`.
fn url_path(relative: &Path, clean_urls: bool) -> Option<String> {
    let mut path = String::new();
    for component in relative.parent()?.components() {
        let std::path::Component::Normal(name) = component else {
            return None;
        };
        path.extend(percent_encode(name.as_encoded_bytes(), IN_PATH));
        path.push('/');
    }
    let is_index = relative.file_stem()?.eq_ignore_ascii_case("index");
    if !is_index {
        let name = match clean_urls {
            true => relative.file_stem()?,
            false => relative.file_name()?,
        };
        path.extend(percent_encode(name.as_encoded_bytes(), IN_PATH));
    }
    Some(path)
}

/// As git spells it: with slashes.
fn git_path(relative: &Path) -> Vec<u8> {
    let names = relative.iter().map(|name| name.as_encoded_bytes());
    names.collect::<Vec<_>>().join(&b'/')
}

fn modified(path: &Path) -> io::Result<W3cDatetime> {
    Ok(W3cDatetime::from(fs::metadata(path)?.modified()?))
}

/// The page's canonical URL, if it says one. A fragment means nothing there.
fn canonical(head: &Head, loc: &Url) -> Option<Url> {
    let base = head.base.as_ref().and_then(|base| loc.join(base).ok());
    let href = head.canonical.as_ref().filter(|href| !href.is_empty())?;
    let mut canonical = base.as_ref().unwrap_or(loc).join(href).ok()?;
    canonical.set_fragment(None);
    Some(canonical)
}

/// Whether both are ways to ask for the same file: `/a/`, `/a` and `/a/index.html`, `/b` and `/b.html`.
fn is_same_page(canonical: &Url, loc: &Url) -> bool {
    fn page(url: &Url) -> (&str, Option<&str>, Option<u16>, Option<&str>, &str) {
        let path = url.path();
        let path = [".html", ".htm", ".xhtml"]
            .iter()
            .find_map(|end| path.strip_suffix(end))
            .unwrap_or(path);
        let path = match path.strip_suffix("index") {
            Some(folder) if folder.ends_with('/') => folder,
            _ => path,
        };
        let path = path.trim_end_matches('/');
        (url.scheme(), url.host_str(), url.port(), url.query(), path)
    }
    page(canonical) == page(loc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_urls() {
        let path = |file: &str| url_path(Path::new(file), false).unwrap();
        assert_eq!(path("index.html"), "");
        assert_eq!(path("a b/index.htm"), "a%20b/");
        assert_eq!(path("a/50%[x]?#é.html"), "a/50%25%5Bx%5D%3F%23%C3%A9.html");
        assert_eq!(url_path(Path::new("a/b.html"), true).unwrap(), "a/b");
        assert_eq!(url_path(Path::new("../b.html"), true), None);
    }

    #[test]
    fn spellings_of_one_page() {
        let same = |a: &str, b: &str| {
            let url = |path: &str| {
                Url::parse("https://example.com/")
                    .unwrap()
                    .join(path)
                    .unwrap()
            };
            is_same_page(&url(a), &url(b))
        };
        assert!(same("/a/", "/a/index.html") && same("/a", "/a/") && same("/b", "/b.html"));
        assert!(same("/", "/index.html"));
        assert!(!same("/a", "/b") && !same("/a?x", "/a") && !same("http://example.com/a", "/a"));
        assert!(!same("/myindex.html", "/my"));
    }
}
