//! The rules of a robots.txt (RFC 9309), and the rules of many hosts.
//!
//! | what | bound |
//! |---|---|
//! | a robots.txt, both as sent and unzipped | 500 KiB, the bound of search engines |
//! | rules that apply to this program and have a `*` before their end | 2,000 |
//! | rules of all origins together | 32 MiB; beyond that, all are forgotten and read again when they are needed |
//! | bytes that the rules with `*` search in one URL, for each robot | 512 KiB; beyond that, the URL is forbidden |
//!
//! A rule is matched in linear time in the length of the path and of the rule.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Read};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use flate2::bufread::GzDecoder;
use percent_encoding::percent_encode_byte;
use quick_sitemap::url::{Position, Url};
use quick_sitemap_crawl::robots;

use crate::disk::GZIP;
use crate::term::clipped::clipped;
use crate::term::count::{Count, Grouped};

/// Search engines read no more of a robots.txt.
const MAX_BYTES: u64 = 500 << 10;
/// Layers of gzip that are undone, as many as by the library.
const LAYERS: usize = 3;
/// A rule with `*` costs a search in each path, any other one a comparison.
const MAX_WILDCARDS: usize = 2_000;
/// All rules with `*` for a URL of 260 bytes, or 256 of them for the longest URL.
const MAX_SEARCHED: usize = 512 << 10;
/// Rules that are kept of all origins.
const MAX_KEPT: usize = 32 << 20;

/// The content of a robots.txt, unpacked, as far as it counts.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) text: Vec<u8>,
    /// There is more than that.
    is_cut: bool,
    /// The error that ended it too early.
    pub(crate) failure: Option<io::Error>,
}

impl Content {
    /// Reads the body of a response, which may be gzipped. If it is not understood, that is a failure, because it may forbid
    /// anything. `coding` is one that is not understood.
    pub(crate) fn read(body: impl Read, coding: Option<&str>) -> Self {
        let mut text = Vec::new();
        let mut failure = body.take(MAX_BYTES).read_to_end(&mut text).err();
        let mut is_cut = text.len() as u64 == MAX_BYTES;
        for _ in 0..LAYERS {
            if text.starts_with(&GZIP) {
                let (unzipped, broken) = members(&text);
                text = unzipped;
                // The end of what is packed is missing if it was cut.
                failure = failure.or(broken.filter(|_| !is_cut));
            }
        }
        is_cut |= text.len() as u64 > MAX_BYTES;
        text.truncate(MAX_BYTES as usize);
        failure = failure.or_else(|| not_text(&text, coding).map(io::Error::other));
        Self {
            text,
            is_cut,
            failure,
        }
    }
}

/// The content of the members of gzip, and the error that ended it. Bytes after them are ignored.
fn members(mut packed: &[u8]) -> (Vec<u8>, Option<io::Error>) {
    let mut text = Vec::new();
    while packed.starts_with(&GZIP) {
        let mut member = GzDecoder::new(packed);
        let room = (MAX_BYTES + 1).saturating_sub(text.len() as u64);
        match member.by_ref().take(room).read_to_end(&mut text) {
            Ok(_) if text.len() as u64 <= MAX_BYTES => packed = member.into_inner(),
            read => return (text, read.err()),
        }
    }
    (text, None)
}

/// A line that should name a sitemap, and does not name one by a complete URL: its number, the line, and `true` if it has a
/// relative URL.
pub(crate) type UnusableLine = (u64, String, bool);

/// Returns these lines of a robots.txt.
pub(crate) fn unusable_lines(text: &[u8]) -> Vec<UnusableLine> {
    let mut found = Vec::new();
    for (number, line) in robots::lines(text) {
        let lower = line.to_ascii_lowercase();
        let name = ["sitemap", "site-map"]
            .iter()
            .find_map(|name| lower.strip_prefix(name));
        let Some(rest) = name.map(str::trim_start) else {
            continue;
        };
        // A word that begins so, such as `sitemaps`, is another name.
        let Some(value) = rest.strip_prefix([':', '=', '\u{ff1a}']) else {
            continue;
        };
        if robots::sitemaps(line.as_bytes(), None).next().is_some() {
            continue;
        }
        let value = value.trim();
        let is_path =
            value.starts_with(['/', '.']) || value.ends_with(".xml") || value.ends_with(".gz");
        let is_relative = rest.starts_with(':')
            && is_path
            && !value.contains("://")
            && !value.contains(['<', '>', '"', '\'', '{', ' ']);
        found.push((number, line.into_owned(), is_relative));
    }
    found
}

/// The problem of a coding that was not asked for.
pub(crate) fn unknown_coding(coding: &str) -> String {
    let coding = clipped(coding);
    format!("it is in the unknown coding `{coding}` (Content-Encoding)")
}

/// The reason why bytes are not the text of a robots.txt.
fn not_text(text: &[u8], coding: Option<&str>) -> Option<String> {
    if let Some(coding) = coding {
        return Some(unknown_coding(coding));
    }
    if text.starts_with(&GZIP) {
        return Some("it is packed in too many layers".to_owned());
    }
    // UTF-16 with a mark is understood.
    let is_utf_16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
    let is_binary = !is_utf_16 && text.contains(&0);
    is_binary.then(|| "it is not a text, because it contains NUL bytes".to_owned())
}

/// The rules of a robots.txt for all robots, and for the name of this program.
#[derive(Debug)]
pub(crate) struct Robots {
    /// The patterns of all rules, in the order in which they decide: the longest one that matches, and if there are two, the
    /// one that allows.
    patterns: String,
    rules: Vec<Rule>,
    /// The product of the header `User-Agent`: `quick-sitemap` for `quick-sitemap/0.1`.
    product: String,
    /// Rules beyond the bound.
    ignored: usize,
    is_cut: bool,
}

/// A file may have 40,000.
#[derive(Clone, Copy, Debug)]
struct Rule {
    /// The end of its pattern.
    end: u32,
    allows: bool,
    group: Audience,
}

/// The robots that a group names. A group can name both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Audience {
    everyone: bool,
    own: bool,
}

impl Robots {
    pub(crate) fn new(content: &Content, user_agent: &str) -> Self {
        let product = product(user_agent);
        let mut found = Vec::new();
        let (mut group, mut names_agents) = (Audience::default(), false);
        for (_, line) in robots::lines(&content.text) {
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            let (name, value) = (name.trim_end(), value.trim_start());
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if is("user-agent") {
                // Several of these lines begin one group.
                if !mem::replace(&mut names_agents, true) {
                    group = Audience::default();
                }
                let agent = self::product(value);
                group.everyone |= agent == "*";
                group.own |= agent.eq_ignore_ascii_case(product);
            } else if is("allow") || is("disallow") {
                names_agents = false;
                if group != Audience::default() && !value.is_empty() {
                    found.push((normalized(value, true), is("allow"), group));
                }
            }
        }
        let (all, mut wildcards) = (found.len(), 0);
        found.retain(|(pattern, ..)| {
            let is_wildcard = pattern.contains('*');
            wildcards += usize::from(is_wildcard);
            !is_wildcard || wildcards <= MAX_WILDCARDS
        });
        found.sort_by_key(|(pattern, allows, _)| (Reverse(pattern.len()), !allows));
        let mut robots = Self {
            patterns: String::new(),
            rules: Vec::with_capacity(found.len()),
            product: product.to_owned(),
            ignored: all - found.len(),
            is_cut: content.is_cut,
        };
        for (pattern, allows, group) in found {
            robots.patterns.push_str(&pattern);
            // A file of 500 KiB has no more.
            let end = u32::try_from(robots.patterns.len()).unwrap_or(u32::MAX);
            robots.rules.push(Rule { end, allows, group });
        }
        robots.patterns.shrink_to_fit();
        robots
    }

    /// Returns `true` if there is no rule for these robots.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The robot that must not request the URL, `*` or the name of this program.
    pub(crate) fn forbidden_for(&self, url: &Url) -> Option<&str> {
        let path = normalized(&url[Position::BeforePath..Position::AfterQuery], false);
        if path == "/robots.txt$" {
            return None;
        }
        if !self.allow(&path, |group| group.everyone) {
            return Some("*");
        }
        let is_allowed = self.allow(&path, |group| group.own);
        (!is_allowed).then_some(self.product.as_str())
    }

    /// A URL that is not decided within the bound is forbidden: an allowed one can be requested another time.
    fn allow(&self, path: &str, is_for: impl Fn(Audience) -> bool) -> bool {
        let (mut begin, mut searched) = (0, 0);
        for rule in &self.rules {
            let end = rule.end as usize;
            let pattern = self.patterns.get(begin..end).unwrap_or_default();
            begin = end;
            if !is_for(rule.group) {
                continue;
            }
            let first = pattern.split_once('*').map(|(first, _)| first);
            if first.is_some_and(|first| path.starts_with(first)) {
                searched += path.len();
                if searched > MAX_SEARCHED {
                    return false;
                }
            }
            if matches(pattern, path) {
                return rule.allows;
            }
        }
        true
    }

    /// The rules that do not count because of a bound, as the end of a message about the file.
    pub(crate) fn left_out(&self) -> Option<String> {
        if self.ignored > 0 {
            let rules = Count(self.ignored as u64, "rule");
            let most = Grouped(MAX_WILDCARDS as u64);
            return Some(format!(
                "{rules} ignored, since only the first {most} rules with `*` count"
            ));
        }
        let most = Grouped(MAX_BYTES);
        self.is_cut
            .then(|| format!("longer than {most} bytes; the rest is ignored"))
    }

    /// Bytes that the rules take.
    fn bytes(&self) -> usize {
        self.patterns.capacity() + self.rules.capacity() * size_of::<Rule>()
    }
}

/// The name at the start of a `User-Agent`.
pub(crate) fn product(user_agent: &str) -> &str {
    let is_end = |character: char| character == '/' || character.is_whitespace();
    user_agent.split(is_end).next().unwrap_or_default()
}

/// Finds the pieces between the `*` one after the other, each at the first place where it is. So no place is looked at
/// twice. Only the end of a path has a `$`, so a pattern with a `$` matches there.
fn matches(pattern: &str, path: &str) -> bool {
    let mut pieces = pattern.split('*');
    let rest = path.strip_prefix(pieces.next().unwrap_or_default());
    let behind =
        rest.and_then(|rest| pieces.try_fold(rest, |rest, piece| Some(rest.split_once(piece)?.1)));
    behind.is_some()
}

/// A path, or the pattern of a rule, in a form that all equivalent ones share: only characters that need it are
/// percent-encoded. In a path, `*` and `$` are, so that they differ from those with a meaning in a pattern, and a `$` is added
/// at its end.
fn normalized(text: &str, is_pattern: bool) -> String {
    // The last `$` ends the path; stars at the end, and several in a row, match nothing more than one.
    let (text, end) = match text.strip_suffix('$') {
        Some(text) if is_pattern => (text, "$"),
        _ if is_pattern => (text.trim_end_matches('*'), ""),
        _ => (text, "$"),
    };
    let mut normalized = String::with_capacity(text.len() + end.len());
    let mut rest = text.as_bytes();
    while let [byte, ..] = rest {
        let decoded = match rest {
            [b'%', high, low, ..] => hex(*high).zip(hex(*low)),
            _ => None,
        };
        let taken = if decoded.is_some() { 3 } else { 1 };
        rest = rest.get(taken..).unwrap_or_default();
        let shown = decoded.map_or(*byte, |(high, low)| high << 4 | low);
        let is_plain = match shown {
            b'-' | b'.' | b'_' | b'~' => true,
            b'*' | b'$' if decoded.is_none() => is_pattern && shown == b'*',
            b'%' | b'!' | b'&' | b'\'' | b'(' | b')' | b'+' | b',' | b'/' | b':' | b';' | b'='
            | b'?' | b'@' | b'[' | b']' => decoded.is_none(),
            byte => byte.is_ascii_alphanumeric(),
        };
        if !is_plain {
            normalized.push_str(percent_encode_byte(shown));
        } else if shown != b'*' || !normalized.ends_with('*') {
            normalized.push(char::from(shown));
        }
    }
    normalized.push_str(end);
    normalized
}

fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

/// The rules of the origins that were used recently.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    known: HashMap<String, Arc<OnceLock<Option<Arc<Robots>>>>>,
    bytes: usize,
}

/// The rules for the origin of a URL; `None` if it has none. They are read once, by the first thread that needs them.
pub(crate) fn of_origin(
    origins: &Mutex<Origins>,
    url: &Url,
    read: impl FnOnce() -> Option<Arc<Robots>>,
) -> Option<Arc<Robots>> {
    let name = url.origin().ascii_serialization();
    let known = Arc::clone(lock(origins).known.entry(name).or_default());
    let rules = known.get_or_init(|| {
        let rules = read();
        lock(origins).count(rules.as_deref().map_or(0, Robots::bytes));
        rules
    });
    rules.clone()
}

fn lock(origins: &Mutex<Origins>) -> MutexGuard<'_, Origins> {
    origins.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Origins {
    /// Forgets all origins before there are too many: those that are still needed are read again.
    fn count(&mut self, bytes: usize) {
        self.bytes += ENTRY + bytes;
        if self.bytes > MAX_KEPT {
            self.known.clear();
            self.bytes = 0;
        }
    }
}

/// Bytes of an origin in addition to its rules.
const ENTRY: usize = 512;

#[cfg(test)]
mod tests {
    use super::*;

    fn robots(text: &str) -> Robots {
        let content = Content::read(text.as_bytes(), None);
        Robots::new(&content, "quick-sitemap/0.1 (+https://e.com)")
    }

    fn forbidden(robots: &Robots, path: &str) -> Option<String> {
        let url = format!("https://e.com{path}").parse().unwrap();
        robots.forbidden_for(&url).map(str::to_owned)
    }

    #[test]
    fn lines_that_name_no_sitemap() {
        let line = |line: &str| unusable_lines(format!("User-agent: *\n{line}\n").as_bytes());
        for (text, is_relative) in [
            ("Sitemap: /sitemap.xml", true),
            ("SITE-MAP: sitemap.xml # all", true),
            ("sitemap : ./maps/index.xml.gz", true),
            ("Sitemap: \"https://e.com/sitemap.xml\"", false),
            ("Sitemap: <https://e.com/sitemap.xml>", false),
            ("Sitemap=https://e.com/sitemap.xml", false),
            ("Sitemap\u{ff1a}https://e.com/sitemap.xml", false),
            ("Sitemap: <a href=\"https://e.com/sitemap.xml\">", false),
            ("Sitemap: https://<domain_name>/sitemap.xml", false),
            ("Sitemap: {{ site.url }}/sitemap.xml", false),
            ("Sitemap: ftp://e.com/sitemap.xml", false),
            ("Sitemap:", false),
        ] {
            let shown = text.split('#').next().unwrap().trim().to_owned();
            assert_eq!(line(text), [(2, shown, is_relative)], "{text}");
        }
        for text in [
            "Sitemap: https://e.com/sitemap.xml",
            "SITEMAP:https://e.com/sitemap.xml # all",
            "sitemap : https://e.com/?a=b",
            "Sitemap https://e.com/sitemap.xml",
            "# Sitemap: /sitemap.xml",
            "Sitemaps: /sitemap.xml",
            "Disallow: /sitemap.xml",
        ] {
            assert_eq!(line(text), [], "{text}");
        }
    }

    #[test]
    fn both_groups_count() {
        let robots = robots(
            "\u{feff}User-agent: *\r\nDisallow: /private/\nAllow: /private/open\nDisallow: /*.pdf$\n\n\
             User-agent: other\nUser-Agent: QUICK-sitemap/2\nDisallow: /slow\n\nSitemap: https://e.com/s.xml\n\
             User-agent: others\nDisallow: /\n",
        );
        for (path, robot) in [
            ("/", None),
            ("/private/a", Some("*")),
            ("/private/open", None),
            ("/a.pdf", Some("*")),
            ("/a.pdf?b", None),
            ("/slow?a=b", Some("quick-sitemap")),
        ] {
            assert_eq!(forbidden(&robots, path).as_deref(), robot, "{path}");
        }
        for text in ["", "Disallow: /\n", "User-agent: *\nDisallow:\n", "<html>"] {
            assert_eq!(forbidden(&self::robots(text), "/a"), None, "{text}");
        }
    }

    /// The examples of RFC 9309 and of Google's documentation: the rule, paths that match and paths that do not.
    #[test]
    fn rules_match_as_in_rfc_9309() {
        let cases: [(&str, &[&str], &[&str]); 15] = [
            ("/", &["/", "/a"], &[]),
            ("/*", &["/", "/a"], &[]),
            ("/$", &["/"], &["/a"]),
            (
                "/fish",
                &["/fish", "/fish.html", "/fishheads", "/fish?id=1"],
                &["/Fish", "/catfish", "/?id=fish"],
            ),
            ("/fish*", &["/fish", "/fishheads"], &["/Fish"]),
            (
                "/fish/",
                &["/fish/", "/fish/salmon"],
                &["/fish", "/fish.html"],
            ),
            (
                "/*.php",
                &["/index.php", "/a/b.php?c", "/a.php5"],
                &["/", "/windows.PHP"],
            ),
            (
                "/*.php$",
                &["/a.php", "/a/b.php"],
                &["/a.php?b", "/a.php/", "/a.php5"],
            ),
            (
                "/fish*.php",
                &["/fish.php", "/fishheads/catfish.php?p"],
                &["/Fish.PHP"],
            ),
            ("/a*b*b$", &["/abb", "/axbxb", "/abbb"], &["/ab", "/abbc"]),
            (
                "/a%3cd.html",
                &["/a%3Cd.html", "/a%3cd.html"],
                &["/a<d.htm"],
            ),
            ("/%7Ejoe/", &["/~joe/index", "/%7ejoe/"], &["/joe/"]),
            ("/caf\u{e9}", &["/caf%C3%A9", "/caf\u{e9}/a"], &["/cafe"]),
            ("/a-%2A.html", &["/a-*.html", "/a-%2a.html"], &["/a-b.html"]),
            ("/a$b%24", &["/a$b$", "/a%24b%24c"], &["/ab"]),
        ];
        for (rule, matching, others) in cases {
            let robots = robots(&format!("User-agent: *\nDisallow: {rule}"));
            for path in matching {
                assert_eq!(
                    forbidden(&robots, path).as_deref(),
                    Some("*"),
                    "{rule} {path}"
                );
            }
            for path in others {
                assert_eq!(forbidden(&robots, path), None, "{rule} {path}");
            }
        }
    }

    #[test]
    fn the_longest_rule_decides() {
        for (rules, path, is_forbidden) in [
            ("Allow: /p\nDisallow: /", "/page", false),
            ("Allow: /folder\nDisallow: /folder", "/folder/page", false),
            ("Allow: /page\nDisallow: /*.htm", "/page.htm", true),
            ("Allow: /page\nDisallow: /*.ph", "/page.php5", false),
            ("Allow: /$\nDisallow: /", "/", false),
            ("Allow: /$\nDisallow: /", "/page.htm", true),
            ("Disallow: /", "/robots.txt", false),
        ] {
            let robots = robots(&format!("User-agent: *\n{rules}"));
            assert_eq!(forbidden(&robots, path).is_some(), is_forbidden, "{rules}");
        }
    }

    /// The rules of a group that names both robots are kept once, and decide together with those of other groups.
    #[test]
    fn a_group_for_both_is_kept_once() {
        let rules: String = (0..1_000).map(|n| format!("Disallow: /{n}\n")).collect();
        let both = "User-agent: *\nUser-agent: quick-sitemap\n";
        let [once, of_both] =
            ["User-agent: *\n", both].map(|group| robots(&format!("{group}{rules}")));
        assert_eq!(once.bytes(), of_both.bytes());
        let robots = robots(&format!(
            "{both}Allow: /a/b\n\nUser-agent: quick-sitemap\nDisallow: /a\n"
        ));
        assert_eq!(forbidden(&robots, "/a/b"), None);
        assert_eq!(forbidden(&robots, "/a/c").as_deref(), Some("quick-sitemap"));
    }

    /// 500 KB of rules for both robots: the bound on them is reported, and the rest takes little memory.
    #[test]
    fn many_rules_are_bounded() {
        let mut text = "User-agent: *\nUser-agent: quick-sitemap\n".to_owned();
        for number in 0..25_000 {
            text.push_str(&format!("Disallow: /*a*b{number}\n"));
        }
        let robots = robots(&text);
        assert!(robots.bytes() < 200_000, "{}", robots.bytes());
        assert_eq!(forbidden(&robots, "/xaxb1").as_deref(), Some("*"));
        assert_eq!(forbidden(&robots, "/xaxb3999").as_deref(), Some("*"));
        let left_out = robots.left_out().unwrap();
        assert!(
            left_out == "22,908 rules ignored, since only the first 2,000 rules with `*` count",
            "{left_out}"
        );

        let plain: String = (0..60_000).map(|n| format!("Disallow: /{n}\n")).collect();
        let robots = self::robots(&format!("User-agent: *\n{plain}"));
        assert!(robots.bytes() < 1 << 20, "{}", robots.bytes());
        assert_eq!(forbidden(&robots, "/9999").as_deref(), Some("*"));
        let left_out = robots.left_out().unwrap();
        assert_eq!(left_out, "longer than 512,000 bytes; the rest is ignored");
    }

    /// Time is bounded for each URL. One that cannot be decided within the bound is not requested.
    #[test]
    fn the_search_in_a_url_is_bounded() {
        let rules = |count: usize, first: &str| -> Robots {
            let rules = (0..count).map(|n| format!("Disallow: {first}*a{n}b\n"));
            robots(&format!("User-agent: *\n{}", rules.collect::<String>()))
        };
        let (short, long) = (
            format!("/{}", "a".repeat(250)),
            format!("/{}", "a".repeat(2_000)),
        );
        assert_eq!(forbidden(&rules(2_000, "/"), &short), None);
        assert_eq!(forbidden(&rules(250, "/"), &long), None);
        assert_eq!(forbidden(&rules(2_000, "/"), &long).as_deref(), Some("*"));
        // Rules that begin otherwise search nothing.
        assert_eq!(forbidden(&rules(2_000, "/x"), &long), None);
    }

    #[test]
    fn what_is_not_a_text_is_a_failure() {
        let read = |bytes: &[u8], coding| {
            let content = Content::read(bytes, coding);
            content.failure.map(|error| error.to_string())
        };
        let text = b"User-agent: *\nDisallow: /\n";
        let utf_16: Vec<u8> = "\u{feff}User-agent: *"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!((read(text, None), read(&utf_16, None)), (None, None));
        let nul = "it is not a text, because it contains NUL bytes";
        assert_eq!(read(b"User-agent: *\n\0", None).as_deref(), Some(nul));
        // A mark of gzip that is not at the beginning.
        assert_eq!(read(b"\n\x1f\x8b\x08\0\0\0", None).as_deref(), Some(nul));
        assert_eq!(read(&utf_16[2..], None).as_deref(), Some(nul));
        let unknown = "it is in the unknown coding `deflate` (Content-Encoding)";
        assert_eq!(read(text, Some("deflate")).as_deref(), Some(unknown));
    }

    #[test]
    fn the_rules_of_old_origins_are_forgotten() {
        let origins = Mutex::<Origins>::default();
        let url = |number| format!("http://e.com:{number}").parse().unwrap();
        let rules: String = (0..40_000).map(|n| format!("Disallow: /{n}\n")).collect();
        let rules = Arc::new(robots(&format!("User-agent: *\n{rules}")));
        for number in 1..100 {
            let read = || Some(Arc::clone(&rules));
            assert!(of_origin(&origins, &url(number), read).is_some());
        }
        // They are read once.
        assert!(of_origin(&origins, &url(99), || panic!()).is_some());
        let kept = lock(&origins).known.len() * rules.bytes();
        assert!(0 < kept && kept <= MAX_KEPT, "{kept}");
        assert!(of_origin(&origins, &url(1), || None).is_none());
    }
}
