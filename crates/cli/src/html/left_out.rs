//! Files of a folder that are not pages to list.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use glob::{MatchOptions, Pattern};
use quick_sitemap::url::Url;
use regex_lite::Regex;

use crate::page::HtmlPage;
use crate::term::count::Count;
use crate::term::messages::Messages;

/// Why a file is left out, as a message ends, and the place among these messages.
type Reason = (u8, &'static str);

const ERROR_PAGE: Reason = (0, "because of the name of an error page or of a fallback");
const PRIVATE: Reason = (1, "because of a name that begins with `_`");
const MODULES: Reason = (2, "because of a folder `node_modules`");
const VERIFICATION: Reason = (3, "because of the name of a file that verifies ownership");
const REDIRECT: Reason = (4, "because of a redirect (`<meta http-equiv=refresh>`)");
const FRAGMENT: Reason = (5, "because there is no `<html>`");
const NOINDEX: Reason = (6, "because of `noindex`");
const ELSEWHERE: Reason = (7, "because of a canonical link to another page");

/// Names of files below the folder, without case. An error page is that of the site or of one of its languages: elsewhere,
/// 404 may be the number of a page. Hosts serve `200.html` for any other path, and browsers `offline.html` without a
/// connection.
static NAMES: LazyLock<Vec<(Regex, Reason)>> = LazyLock::new(|| {
    let names = [
        (
            r"(?i)^([a-z]{2,3}([-_][a-z]{2,4})?/)?(40[0-9]|410|50[0-4]|200|_error|_offline|offline)(/index)?\.[^./]+$",
            ERROR_PAGE,
        ),
        (r"(?i)(^|/)node_modules/", MODULES),
        (r"(^|/)_", PRIVATE),
        (
            r"(?i)(^|/)(bingsiteauth|(google|yandex_|pinterest-|naver)[0-9a-f]{8,}|baidu_verify_(codeva-)?[a-z0-9]+)\.[^./]+$",
            VERIFICATION,
        ),
    ];
    let names = names.into_iter();
    names
        .filter_map(|(regex, reason)| Some((Regex::new(regex).ok()?, reason)))
        .collect()
});

/// Counts what is left out, and names each file if that is wanted.
pub(crate) struct LeftOut<'a> {
    pub(crate) folder: &'a Path,
    /// `--include`: files below the folder that are pages all the same.
    pub(crate) included: &'a [Pattern],
    pub(crate) is_verbose: bool,
    pub(crate) messages: &'a Messages,
    /// By reason, with the first file.
    pub(crate) counts: BTreeMap<Reason, (u64, String)>,
    /// Pages whose canonical link differs only in its scheme and host, by these.
    pub(crate) bases: BTreeMap<String, u64>,
    /// The number of pages that name several canonical URLs, and the first.
    pub(crate) contradictions: Option<(u64, String)>,
}

impl LeftOut<'_> {
    /// Returns `true` if the file is not a page to list, by its name or by its head. `--include` overrides its name and its
    /// form. `canonical` is its canonical link to another page.
    pub(crate) fn leaves_out(
        &mut self,
        relative: &Path,
        page: &HtmlPage,
        loc: &Url,
        name: &str,
        canonical: Option<&Url>,
    ) -> bool {
        let reason = match by_name(relative) {
            Some(reason) => Some(reason),
            None if page.redirect(loc, None).is_some() => Some(REDIRECT),
            None if !page.is_document => Some(FRAGMENT),
            None => None,
        };
        let reason = reason.filter(|_| !self.included.iter().any(|glob| matches(glob, relative)));
        let reason = match reason {
            Some(reason) => reason,
            None if page.is_noindex => NOINDEX,
            None if canonical.is_some() => ELSEWHERE,
            None => return false,
        };
        let to = canonical.filter(|_| reason == ELSEWHERE);
        if let Some(to) = to.filter(|to| (to.path(), to.query()) == (loc.path(), loc.query())) {
            *self
                .bases
                .entry(to.origin().ascii_serialization())
                .or_insert(0) += 1;
        }
        let name = match to {
            // Two names can look the same, and differ in how an accent is written.
            Some(to) if loc.path().contains('%') => format!("{name} ({loc}) to {to}"),
            Some(to) => format!("{name} to {to}"),
            None => name.to_owned(),
        };
        if self.is_verbose {
            let messages = self.messages;
            messages.note(format_args!("{name}: left out {}", reason.1));
        }
        let (count, _) = self.counts.entry(reason).or_insert((0, name));
        *count += 1;
        true
    }

    /// A page names several canonical URLs.
    pub(crate) fn contradicts(&mut self, name: &str) {
        let first = self.contradictions.get_or_insert((0, name.to_owned()));
        first.0 += 1;
    }

    /// Prints the number of pages that were left out for each reason.
    pub(crate) fn finish(self) {
        for (base, count) in self.bases {
            let name = if count == 1 { "names" } else { "name" };
            self.messages.warning(format_args!(
                "{}: {} {name} a canonical URL at the same path of {base}; is that the site (--base {base}/)?",
                self.folder.display(),
                Count(count, "page"),
            ));
        }
        if let Some((count, first)) = self.contradictions {
            let names = if count == 1 { "names" } else { "name" };
            self.messages.note(format_args!(
                "{}: {} {names} several canonical URLs that differ, so none counts: {first}{}",
                self.folder.display(),
                Count(count, "page"),
                if count > 1 { ", …" } else { "" }
            ));
        }
        for (reason, (count, first)) in self.counts {
            let more = if count > 1 { ", …" } else { "" };
            let example = match reason {
                ELSEWHERE if !self.is_verbose => format!(": {first}{more}"),
                _ => String::new(),
            };
            self.messages.note(format_args!(
                "{}: {} left out {}{example}",
                self.folder.display(),
                Count(count, "page"),
                reason.1,
            ));
        }
    }
}

fn matches(glob: &Pattern, relative: &Path) -> bool {
    let options = MatchOptions {
        case_sensitive: true,
        // `*` matches within a folder, `**` across folders.
        require_literal_separator: true,
        require_literal_leading_dot: false,
    };
    glob.matches_with(&slashed(relative), options)
}

fn slashed(relative: &Path) -> String {
    let names: Vec<_> = relative.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}

/// The reason to leave a file out that its name shows.
fn by_name(relative: &Path) -> Option<Reason> {
    let name = slashed(relative);
    let mut known = NAMES.iter().filter(|(regex, _)| regex.is_match(&name));
    known.next().map(|(_, reason)| *reason)
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
            "500.html",
            "403.html",
            "200.html",
            "_error.html",
            "offline.html",
            "de/offline/index.html",
        ] {
            assert_eq!(by_name(path), Some(ERROR_PAGE), "{path}");
        }
        for path in ["_drafts/a.html", "blog/_old/a.html", "blog/_a.html"] {
            assert_eq!(by_name(path), Some(PRIVATE), "{path}");
        }
        for path in ["node_modules/a/index.html", "app/node_modules/b.html"] {
            assert_eq!(by_name(path), Some(MODULES), "{path}");
        }
        for path in [
            "google1234567890abcdef.html",
            "yandex_1a2b3c4d5e6f7a8b.html",
            "BingSiteAuth.html",
            "baidu_verify_codeva-AbC123.html",
            "pinterest-1a2b3.html",
        ] {
            let expected = (path != "pinterest-1a2b3.html").then_some(VERIFICATION);
            assert_eq!(by_name(path), expected, "{path}");
        }
        for path in [
            "google.html",
            "google-maps.html",
            "1404.html",
            "404/a.html",
            "blog/500.html",
            "offline-first.html",
            "a_b.html",
            "my_node_modules/a.html",
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
