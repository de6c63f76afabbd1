//! Files of a folder that are not pages to list.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use glob::{MatchOptions, Pattern};
use quick_sitemap::url::Url;

use crate::page::HtmlPage;
use crate::term::count::Count;
use crate::term::messages::Messages;

/// Why a file is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    ErrorPage,
    Verification,
    Redirect,
    Fragment,
    Noindex,
    Elsewhere,
}

impl Reason {
    fn text(self) -> &'static str {
        match self {
            Self::ErrorPage => "because of the name of an error page",
            Self::Verification => "because of the name of a file that verifies ownership",
            Self::Redirect => "because of a redirect (`<meta http-equiv=refresh>`)",
            Self::Fragment => "because there is no `<html>`",
            Self::Noindex => "because of `noindex`",
            Self::Elsewhere => "because of a canonical link to another page",
        }
    }
}

/// Counts what is left out, and names each file if that is wanted.
pub(crate) struct LeftOut<'a> {
    folder: &'a Path,
    /// `--include`: files below the folder that are pages all the same.
    included: &'a [Pattern],
    is_verbose: bool,
    messages: &'a Messages,
    counts: BTreeMap<Reason, u64>,
    first_elsewhere: String,
}

impl<'a> LeftOut<'a> {
    pub(crate) fn new(
        folder: &'a Path,
        included: &'a [Pattern],
        is_verbose: bool,
        messages: &'a Messages,
    ) -> Self {
        Self {
            folder,
            included,
            is_verbose,
            messages,
            counts: BTreeMap::new(),
            first_elsewhere: String::new(),
        }
    }

    /// Returns the reason why the file is not a page, by its name or by its beginning. `--include` overrides it.
    pub(crate) fn leaves_out(
        &mut self,
        relative: &Path,
        page: &HtmlPage,
        loc: &Url,
        name: &str,
    ) -> bool {
        let reason = match by_name(relative) {
            Some(reason) => reason,
            None if page.redirect(loc).is_some() => Reason::Redirect,
            None if !page.is_document => Reason::Fragment,
            None => return false,
        };
        if self.included.iter().any(|glob| matches(glob, relative)) {
            return false;
        }
        self.add(reason, name, None);
        true
    }

    /// `to`: where a canonical link leads.
    pub(crate) fn add(&mut self, reason: Reason, name: &str, to: Option<&dyn Display>) {
        let to = to.map(|to| format!("{name} to {to}"));
        *self.counts.entry(reason).or_default() += 1;
        if self.is_verbose {
            let name = to.as_deref().unwrap_or(name);
            self.messages
                .note(format_args!("{name}: left out {}", reason.text()));
        } else if self.first_elsewhere.is_empty() {
            self.first_elsewhere = to.unwrap_or_default();
        }
    }

    /// Prints the number of pages that were left out for each reason.
    pub(crate) fn finish(self) {
        let folder = self.folder.display();
        for (reason, count) in self.counts {
            let example = match reason {
                Reason::Elsewhere if !self.is_verbose => {
                    let more = if count > 1 { ", …" } else { "" };
                    format!(": {}{more}", self.first_elsewhere)
                }
                _ => String::new(),
            };
            self.messages.note(format_args!(
                "{folder}: {} left out {}{example}",
                Count(count, "page"),
                reason.text()
            ));
        }
    }
}

fn matches(glob: &Pattern, relative: &Path) -> bool {
    let names: Vec<_> = relative.iter().map(|name| name.to_string_lossy()).collect();
    let options = MatchOptions {
        case_sensitive: true,
        // `*` matches within a folder, `**` across folders.
        require_literal_separator: true,
        require_literal_leading_dot: false,
    };
    glob.matches_with(&names.join("/"), options)
}

/// The reason to leave a file out that its name shows, such as that of an error page.
fn by_name(relative: &Path) -> Option<Reason> {
    let mut names: Vec<_> = relative
        .iter()
        .map(|name| name.to_str())
        .collect::<Option<_>>()?;
    let file = names.pop()?;
    let stem = file.rsplit_once('.')?.0.to_ascii_lowercase();
    if stem == "index" && names.last() == Some(&"404") {
        names.pop();
    } else if stem != "404" {
        return verification(&stem);
    }
    // Elsewhere it may be the 404th of many pages.
    match *names {
        [] => Some(Reason::ErrorPage),
        [language] if is_language(language) => Some(Reason::ErrorPage),
        _ => None,
    }
}

/// `de`, `pt-BR`
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, "xx"));
    let is_word = |text: &str| {
        (2..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    is_word(language) && is_word(region)
}

fn verification(stem: &str) -> Option<Reason> {
    let is_hex = |text: &str| text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_code =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_verification = stem == "bingsiteauth"
        || ["google", "yandex_", "pinterest-", "naver"]
            .iter()
            .any(|site| stem.strip_prefix(site).is_some_and(is_hex))
        || ["baidu_verify_", "baidu_verify_codeva-"]
            .iter()
            .any(|site| stem.strip_prefix(site).is_some_and(is_code));
    is_verification.then_some(Reason::Verification)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_pages() {
        let by_name = |path: &str| by_name(Path::new(path));
        for path in [
            "404.html",
            "de/404.htm",
            "404/index.html",
            "pt-BR/404/index.html",
        ] {
            assert_eq!(by_name(path), Some(Reason::ErrorPage), "{path}");
        }
        for path in [
            "google1234567890abcdef.html",
            "yandex_1a2b3c4d5e6f7a8b.html",
            "BingSiteAuth.html",
            "baidu_verify_codeva-AbC123.html",
            "pinterest-1a2b3.html",
        ] {
            let expected = (path != "pinterest-1a2b3.html").then_some(Reason::Verification);
            assert_eq!(by_name(path), expected, "{path}");
        }
        for path in [
            "google.html",
            "google-maps.html",
            "1404.html",
            "404/a.html",
            "index.html",
        ] {
            assert_eq!(by_name(path), None, "{path}");
        }
    }

    #[test]
    fn globs_are_relative_to_the_folder() {
        let matches = |glob: &str, path: &str| matches(&glob.parse().unwrap(), Path::new(path));
        assert!(matches("404.html", "404.html") && !matches("404.html", "de/404.html"));
        assert!(matches("**/404.html", "404.html") && matches("**/404.html", "a/de/404.html"));
        assert!(matches("*.html", "a.html") && !matches("*.html", "a/b.html"));
        assert!("a[".parse::<Pattern>().is_err());
    }
}
