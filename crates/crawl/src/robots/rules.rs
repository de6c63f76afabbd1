//! The rules of a robots.txt for all robots, and the sitemaps that it names.
//!
//! | what | bound |
//! |---|---|
//! | rules | those of the first 500 KiB, as much as Google reads |
//! | rules of a group that have a `*` before their end | 2,000 |
//! | bytes that the rules with `*` search in one URL, for each robot | 512 KiB; beyond that, the URL is forbidden |
//! | lines that name a sitemap | those of the first 8 MiB |
//!
//! A rule is matched in linear time in the length of the path and of the rule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::time::Duration;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use url::{Position, Url};

use crate::identity::key_of;
use crate::text::{bare, without_logins};

use super::{MAX_BYTES, content, is_sitemap_line, numbered, url_of};

/// Stands for any site.
const BASE: &str = "https://example.com/robots.txt";
/// Search engines read no more rules.
const RULE_BYTES: usize = 500 << 10;
/// A rule with `*` costs a search in each path, any other one a comparison.
const MAX_WILDCARDS: usize = 2_000;
/// All rules with `*` for a URL of 260 bytes, or 256 of them for the longest URL.
const MAX_SEARCHED: usize = 512 << 10;

/// Characters that are percent-encoded in a rule, in addition to those that are not ASCII.
const IN_RULE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'$')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');
const IN_PATH: &AsciiSet = &IN_RULE.add(b'*');

/// A robots.txt that was read: the rules for all robots, and the lines that name sitemaps.
///
/// The rules for a robot are those of all groups that name it, which count as one group, or else those for `*`, never both
/// (RFC 9309, 2.2.1). The longest rule that matches decides; of two, the one that allows. `*` and `$` have their meaning in
/// rules, and percent-encoded characters are compared by RFC 9309, 2.2.2.
///
/// A `product` is the name of a robot, such as `my-crawler`. Upper and lower case are the same, and any text after the name,
/// such as a version, is ignored.
///
/// # Examples
///
/// ```
/// use quick_sitemap::url::Url;
/// use quick_sitemap_crawl::robots::Rules;
///
/// let rules = Rules::parse(b"User-agent: *\nDisallow: /\n\nUser-agent: My-Crawler\nDisallow: /*.pdf$\nAllow: /free/a.pdf\n");
/// let page = |path: &str| Url::parse(&format!("https://example.com{path}")).unwrap();
/// assert!(rules.allows("my-crawler/1.0", &page("/")));
/// assert!(rules.allows("my-crawler", &page("/free/a.pdf")) && !rules.allows("my-crawler", &page("/b.pdf")));
/// assert!(!rules.allows("other", &page("/")));
/// assert!(rules.names("my-crawler") && !rules.names("other"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// The names of robots in lower case, and the numbers of their groups.
    agents: BTreeSet<(String, u32)>,
    /// By the name of a robot.
    delays: BTreeMap<String, Duration>,
    /// The patterns of all rules, in the order of `rules`.
    patterns: String,
    /// By group, and there in the order in which they decide: the longest first, and of two, the one that allows.
    rules: Vec<Rule>,
    /// Rules beyond the bound on those with `*`.
    ignored: usize,
    /// The lines that name a sitemap, or should: each with its number, a tab before it and a line end after it.
    named: String,
    /// Its URL, if that is known.
    pub(super) location: Option<Url>,
    /// Those of them that cannot be used.
    pub(crate) unusable: u64,
    /// There are rules after the bytes that count.
    has_more_rules: bool,
    is_cut: bool,
}

/// A file may have 40,000.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    group: u32,
    /// Where its pattern is.
    pattern: Range<usize>,
    allows: bool,
}

/// A line of a robots.txt that names a sitemap, or should. From [`Rules::sitemap_lines`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitemapLine<'r> {
    /// The number of the line, which starts at 1.
    pub number: u64,
    /// The line without comment and surrounding white space. A user and a password in a URL are `***`.
    pub text: &'r str,
    /// `true` if it has an absolute URL, as the protocol requires.
    pub is_absolute: bool,
    /// `true` if it has an absolute or a relative URL. Other lines, such as those with a URL in quotes, are not used.
    pub is_usable: bool,
}

impl Rules {
    /// Parses the text of a robots.txt, which is not gzipped. Every text is a robots.txt; [`Answer`](super::Answer) decides
    /// whether the response to a request is one.
    ///
    /// Rules count within the first 500 KiB, and `Sitemap:` lines within the first 8 MiB.
    #[must_use]
    pub fn parse(robots: &[u8]) -> Self {
        Self::read(robots, robots.len() > MAX_BYTES)
    }

    /// If the text `is_cut`, its last line is not used, because it may go on.
    pub(super) fn read(robots: &[u8], is_cut: bool) -> Self {
        let robots = robots.get(..MAX_BYTES).unwrap_or(robots);
        let mut found = Found::default();
        let mut rules = Self {
            is_cut,
            ..Self::default()
        };
        let (mut lines, mut bytes) = (numbered(robots).peekable(), 0);
        let base = Url::parse(BASE).ok();
        while let Some((number, line)) = lines.next()
            && (!is_cut || lines.peek().is_some())
        {
            bytes += line.len() + 1;
            let line = content(&line);
            if is_sitemap_line(line) {
                let _ = writeln!(rules.named, "{number}\t{}", without_logins(line));
                rules.unusable += u64::from(url_of(line, base.as_ref()).is_none());
            } else if bytes <= RULE_BYTES {
                found.add(line);
            } else {
                rules.has_more_rules |= Found::is_rule(line);
            }
        }
        rules.keep(found);
        rules
    }

    fn keep(&mut self, mut found: Found) {
        let order = |(group, pattern, allows): &(u32, String, bool)| {
            (*group, Reverse(pattern.len()), !allows)
        };
        found.rules.sort_by_key(order);
        self.rules.reserve_exact(found.rules.len());
        for (group, pattern, allows) in found.rules {
            let begin = self.patterns.len();
            self.patterns.push_str(&pattern);
            self.rules.push(Rule {
                group,
                pattern: begin..self.patterns.len(),
                allows,
            });
        }
        self.patterns.shrink_to_fit();
        self.named.shrink_to_fit();
        self.ignored = found.ignored;
        (self.agents, self.delays) = (found.agents, found.delays);
    }

    /// Returns `true` if the robot may request the URL, as far as these rules are concerned. They must be those of its site.
    ///
    /// `/robots.txt` is always allowed. A URL that would take too long to be judged is forbidden.
    #[must_use]
    pub fn allows(&self, product: &str, url: &Url) -> bool {
        let path = normalized(&url[Position::BeforePath..Position::AfterQuery], false);
        if path == "/robots.txt$" {
            return true;
        }
        let (mut best, mut searched) = ((0, true), 0);
        for (pattern, allows) in self.rules_for(product) {
            if (pattern.len(), allows) <= best {
                continue;
            }
            let first = pattern.split_once('*').map(|(first, _)| first);
            if first.is_some_and(|first| path.starts_with(first)) {
                searched += path.len();
                if searched > MAX_SEARCHED {
                    return false;
                }
            }
            if matches(pattern, &path) {
                best = (pattern.len(), allows);
            }
        }
        best.1
    }

    /// Returns `true` if a group names the robot. Its rules are those for `*` otherwise, unless the caller lets it fall back to
    /// another name, as `Googlebot-Image` does to `Googlebot`.
    #[must_use]
    pub fn names(&self, product: &str) -> bool {
        self.groups(&product_of(product)).next().is_some()
    }

    /// Returns `true` if a robot may request nothing of the site: a rule forbids every path, and none allows one.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::robots::Rules;
    ///
    /// let rules = Rules::parse(b"User-agent: a\nDisallow: /\n\nUser-agent: b\nDisallow: /\nAllow: /b\n");
    /// assert!(rules.forbids_all("a") && !rules.forbids_all("b") && !rules.forbids_all("c"));
    /// ```
    #[must_use]
    pub fn forbids_all(&self, product: &str) -> bool {
        let mut forbids = false;
        for (pattern, allows) in self.rules_for(product) {
            if allows {
                return false;
            }
            forbids |= matches!(pattern, "/" | "");
        }
        forbids
    }

    /// The name of a robot, or `*` if no group names it.
    fn name_for(&self, product: &str) -> String {
        let name = product_of(product);
        if self.groups(&name).next().is_some() {
            name
        } else {
            "*".to_owned()
        }
    }

    /// The rules for a robot: the pattern, and whether it allows. Those of one group come in the order in which they decide.
    fn rules_for<'r>(&'r self, product: &str) -> impl Iterator<Item = (&'r str, bool)> + use<'r> {
        self.groups(&self.name_for(product)).flat_map(|group| {
            let from = self.rules.partition_point(|rule| rule.group < group);
            let rules = self.rules.get(from..).unwrap_or_default().iter();
            let rules = rules.take_while(move |rule| rule.group == group);
            rules.map(|rule| {
                let pattern = self.patterns.get(rule.pattern.clone());
                (pattern.unwrap_or_default(), rule.allows)
            })
        })
    }

    fn groups<'r>(&'r self, name: &str) -> impl Iterator<Item = u32> + use<'r> {
        let range = (name.to_owned(), 0)..=(name.to_owned(), u32::MAX);
        self.agents.range(range).map(|(_, group)| *group)
    }

    /// Returns the `Crawl-delay` for a robot: that of the groups that name it, or else those for `*`. If several lines apply, it
    /// is the longest delay. The value is in seconds and can have decimals; another value is ignored.
    ///
    /// The record is not part of RFC 9309, but many sites have it. [`CrawlBuilder::user_agent`](crate::CrawlBuilder::user_agent)
    /// keeps it.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use quick_sitemap_crawl::robots::Rules;
    ///
    /// let rules = Rules::parse(b"User-agent: *\nCrawl-delay: 10\n\nUser-agent: my-crawler\nCrawl-delay: 0.5\n");
    /// assert_eq!(rules.crawl_delay("My-Crawler/1.0"), Some(Duration::from_millis(500)));
    /// assert_eq!(rules.crawl_delay("other"), Some(Duration::from_secs(10)));
    /// ```
    #[must_use]
    pub fn crawl_delay(&self, product: &str) -> Option<Duration> {
        self.delays.get(&self.name_for(product)).copied()
    }

    /// Returns the lines that name a sitemap, or should, in their order: `Sitemap:` lines that cannot be used are among them.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::robots::Rules;
    ///
    /// let rules = Rules::parse(b"Sitemap: https://example.com/a.xml\nSitemap: /b.xml\nSitemap: \"https://example.com/c.xml\"\n");
    /// let lines: Vec<_> = rules.sitemap_lines().map(|line| (line.number, line.is_absolute, line.is_usable)).collect();
    /// assert_eq!(lines, [(1, true, true), (2, false, true), (3, false, false)]);
    /// ```
    pub fn sitemap_lines(&self) -> impl Iterator<Item = SitemapLine<'_>> {
        let base = Url::parse(BASE).ok();
        self.named().map(move |(number, text)| SitemapLine {
            number,
            text,
            is_absolute: url_of(text, None).is_some(),
            is_usable: url_of(text, base.as_ref()).is_some(),
        })
    }

    /// Returns the sitemaps that it names, in its order and including duplicates, without fragments, users and passwords.
    /// Relative values are resolved against the URL at which it was found, or `robots` if that is not known.
    pub fn sitemaps<'r>(&'r self, robots: &'r Url) -> impl Iterator<Item = Url> + use<'r> {
        let robots = self.location.as_ref().unwrap_or(robots);
        let urls = self.named();
        urls.filter_map(|(_, text)| url_of(text, Some(robots)).map(|url| bare(&url)))
    }

    fn named(&self) -> impl Iterator<Item = (u64, &str)> {
        let lines = self.named.lines().filter_map(|line| line.split_once('\t'));
        lines.filter_map(|(number, text)| Some((number.parse().ok()?, text)))
    }

    /// Returns the number of rules that do not count, because only the first 2,000 rules with `*` of a group do.
    #[must_use]
    pub fn ignored(&self) -> usize {
        self.ignored
    }

    /// Returns `true` if there are rules after the first 500 KiB, which do not count.
    #[must_use]
    pub fn has_more_rules(&self) -> bool {
        self.has_more_rules
    }

    /// Returns `true` if the text is longer than 8 MiB, so it may name more sitemaps.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns the bytes of memory that it takes, at least.
    #[must_use]
    pub fn memory(&self) -> usize {
        let names = self.agents.iter().map(|(name, _)| name.len() + 64);
        let texts = self.patterns.capacity() + self.named.capacity();
        texts + self.rules.capacity() * size_of::<Rule>() + names.sum::<usize>()
    }
}

/// The groups of a robots.txt as they are read, line by line.
#[derive(Default)]
struct Found {
    agents: BTreeSet<(String, u32)>,
    delays: BTreeMap<String, Duration>,
    rules: Vec<(u32, String, bool)>,
    group: u32,
    /// Rules of the group that have a `*`.
    wildcards: usize,
    ignored: usize,
    /// The names that share a `Crawl-delay`.
    names: Vec<String>,
    /// A rule, or a delay, has ended the names.
    has_rule: bool,
    has_delay: bool,
}

impl Found {
    /// `Allow` and `Disallow` end the names of a group; other records, such as `Sitemap`, do not (RFC 9309, 2.2.4). A delay is
    /// that of the names directly before it.
    fn add(&mut self, line: &str) {
        let Some((name, value)) = line.split_once(':') else {
            return;
        };
        let (name, value) = (name.trim_end().to_ascii_lowercase(), value.trim_start());
        let is_utf_8 = !value.contains(char::REPLACEMENT_CHARACTER);
        match name.as_str() {
            "user-agent" => self.add_name(value, is_utf_8),
            "allow" | "disallow" => {
                self.has_rule = true;
                if !self.names.is_empty() && !value.is_empty() && is_utf_8 {
                    let pattern = normalized(value, true);
                    self.wildcards += usize::from(pattern.contains('*'));
                    if pattern.contains('*') && self.wildcards > MAX_WILDCARDS {
                        self.ignored += 1;
                    } else {
                        self.rules.push((self.group, pattern, name == "allow"));
                    }
                }
            }
            "crawl-delay" => {
                self.has_delay = true;
                let seconds = value.parse().ok();
                let delay = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                for name in self.names.iter().filter(|_| delay.is_some()) {
                    let kept = self.delays.entry(name.clone()).or_default();
                    *kept = (*kept).max(delay.unwrap_or_default());
                }
            }
            _ => {}
        }
    }

    fn add_name(&mut self, value: &str, is_utf_8: bool) {
        if self.has_rule {
            (self.group, self.wildcards) = (self.group + 1, 0);
        }
        if self.has_rule || self.has_delay {
            self.names.clear();
        }
        (self.has_rule, self.has_delay) = (false, false);
        let is_end = |c: char| c.is_whitespace() || c == '/';
        let name = match value.strip_prefix('*') {
            Some(rest) if rest.is_empty() || rest.starts_with(is_end) => "*".to_owned(),
            _ => product_of(value),
        };
        // A name that cannot be read is that of another robot.
        if is_utf_8 && !name.is_empty() {
            self.agents.insert((name.clone(), self.group));
        }
        self.names.push(name);
    }

    fn is_rule(line: &str) -> bool {
        let (name, _) = line.split_once(':').unwrap_or_default();
        ["allow", "disallow"].contains(&name.trim_end().to_ascii_lowercase().as_str())
    }
}

/// The name of a robot in lower case, without its version. Empty for `*`.
fn product_of(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name = text.split_once(|c| !is_name(c));
    name.map_or(text, |(name, _)| name).to_ascii_lowercase()
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
    let foreign = if is_pattern { IN_RULE } else { IN_PATH };
    let encoded = utf8_percent_encode(text, foreign).to_string();
    let mut normalized = key_of(&encoded).into_owned();
    while normalized.contains("**") {
        normalized = normalized.replace("**", "*");
    }
    normalized + end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Rules {
        Rules::parse(text.as_bytes())
    }

    fn allows(rules: &Rules, path: &str) -> bool {
        let url = format!("https://e.com{path}").parse().unwrap();
        rules.allows("quick-sitemap/0.1 (+https://e.com)", &url)
    }

    #[test]
    fn all_groups_that_name_a_robot_are_one() {
        let text = "\u{feff}User-agent: *\r\nDisallow: /private/\nAllow: /private/open\nDisallow: /*.pdf$\n\n\
            User-agent: other\nUser-Agent: QUICK-sitemap/2\nSitemap: /s\nuser-agent: third\nDisallow: /slow\n\n\
            Sitemap: https://e.com/s.xml\nUser-agent: others\nDisallow: /\nUser-agent: quick-sitemap\n\
            Allow: /slow/a\nDisallow: /b\nUser-agent: * x\nDisallow: /all";
        let rules = rules(text);
        let page = |path: &str| format!("https://e.com{path}").parse::<Url>().unwrap();
        for (product, allowed, forbidden) in [
            (
                "x",
                "/ /private/open /a.pdf?b /slow",
                "/private/a /a.pdf /all",
            ),
            (
                "quick-sitemap",
                "/private/a /a.pdf /all /slow/a",
                "/slow?a=b /b",
            ),
            ("OTHER", "/b /private/a /all", "/slow"),
            ("Third-party", "/slow", "/private/a"),
            ("third", "/private/a", "/slow/a"),
            ("others", "/robots.txt", "/ /a"),
        ] {
            for path in allowed.split(' ') {
                assert!(rules.allows(product, &page(path)), "{product} {path}");
            }
            for path in forbidden.split(' ') {
                assert!(!rules.allows(product, &page(path)), "{product} {path}");
            }
        }
        assert!(
            rules.names("Others/1") && !rules.names("x") && !rules.names("*") && !rules.names("")
        );
        let other = Rules::parse(b"User-agent: a\xFF\nDisallow: /");
        assert!(other.allows("a", &page("/a")));
        for text in ["", "Disallow: /\n", "User-agent: *\nDisallow:\n", "<html>"] {
            assert!(allows(&self::rules(text), "/a"), "{text}");
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
            let rules = rules(&format!("User-agent: *\nDisallow: {rule}"));
            for path in matching {
                assert!(!allows(&rules, path), "{rule} {path}");
            }
            for path in others {
                assert!(allows(&rules, path), "{rule} {path}");
            }
        }
    }

    #[test]
    fn the_longest_rule_decides() {
        for (text, path, is_forbidden) in [
            ("Allow: /p\nDisallow: /", "/page", false),
            ("Allow: /folder\nDisallow: /folder", "/folder/page", false),
            ("Allow: /page\nDisallow: /*.htm", "/page.htm", true),
            ("Allow: /page\nDisallow: /*.ph", "/page.php5", false),
            ("Allow: /$\nDisallow: /", "/", false),
            ("Allow: /$\nDisallow: /", "/page.htm", true),
            ("Disallow: /", "/robots.txt", false),
            ("Disallow: /page*\nAllow: /page", "/page.htm", false),
            (
                "Disallow: /p\nUser-agent: x\nDisallow: /\nUser-agent: *\nAllow: /p",
                "/p",
                false,
            ),
        ] {
            let rules = rules(&format!("User-agent: *\n{text}"));
            assert_eq!(!allows(&rules, path), is_forbidden, "{text}");
        }
    }

    /// 500 KB of rules: the bound on them is reported, and the rest takes little memory.
    #[test]
    fn many_rules_are_bounded() {
        let mut text = "User-agent: *\nUser-agent: quick-sitemap\n".to_owned();
        for number in 0..25_000 {
            text.push_str(&format!("Disallow: /*a*b{number}\n"));
        }
        let rules = rules(&text);
        assert!(rules.memory() < 200_000, "{}", rules.memory());
        // The last of the first 2,000 counts.
        assert!(!allows(&rules, "/xaxb1") && !allows(&rules, "/xaxb1999"));
        assert!(!allows(&rules, "/xaxb3999") && allows(&rules, "/xaxb"));
        assert!(rules.ignored() > 20_000 && rules.has_more_rules() && !rules.is_cut());

        let plain: String = (0..60_000).map(|n| format!("Disallow: /{n}\n")).collect();
        let rules = self::rules(&format!(
            "User-agent: *\n{plain}User-agent: *\nDisallow: /last"
        ));
        assert!(rules.memory() < 1 << 20, "{}", rules.memory());
        assert!(!allows(&rules, "/9999") && allows(&rules, "/last"));
        assert!(rules.ignored() == 0 && rules.has_more_rules());
        assert!(!self::rules("User-agent: *\nDisallow: /a").has_more_rules());
    }

    /// Time is bounded for each URL. One that cannot be decided within the bound is forbidden.
    #[test]
    fn the_search_in_a_url_is_bounded() {
        let many = |count: usize, first: &str| -> Rules {
            let lines = (0..count).map(|n| format!("Disallow: {first}*a{n}b\n"));
            rules(&format!("User-agent: *\n{}", lines.collect::<String>()))
        };
        let (short, long) = (
            format!("/{}", "a".repeat(250)),
            format!("/{}", "a".repeat(2_000)),
        );
        assert!(allows(&many(2_000, "/"), &short) && allows(&many(250, "/"), &long));
        assert!(!allows(&many(2_000, "/"), &long));
        // Rules that begin otherwise search nothing.
        assert!(allows(&many(2_000, "/x"), &long));
    }

    /// `Sitemap:` lines count far beyond the rules, and a line that the bound cuts does not.
    #[test]
    fn sitemaps_count_within_8_mib() {
        let last = "Sitemap: https://e.com/last.xml";
        let robots: Url = "https://e.com/robots.txt".parse().unwrap();
        for (more, is_read) in [(0, true), (1, false)] {
            let mut text = "User-agent: *\nDisallow: /a\n".to_owned();
            text.push_str(&"#".repeat(MAX_BYTES + more - text.len() - last.len() - 1));
            text.push('\n');
            text.push_str(last);
            let rules = rules(&text);
            let found: Vec<Url> = rules.sitemaps(&robots).collect();
            assert_eq!(
                (found.len(), rules.is_cut()),
                (usize::from(is_read), !is_read)
            );
            assert!(!allows(&rules, "/a"));
        }
    }

    #[test]
    fn a_group_has_a_delay() {
        let delay = |text: &str, name| rules(text).crawl_delay(name).map(|it| it.as_secs());
        let text = "crawl-delay: 1\nUser-agent: a/2.0\nSitemap: /s\nUSER-AGENT: b\nDisallow:\nCrawl-Delay : 2 # c\n\
            User-agent: *\ncrawl-delay: 3\nUser-agent: c\nAllow: /\nUser-agent: a\ncrawl-delay: 4";
        assert_eq!(delay(text, "B (+https://example.com)"), Some(2));
        assert_eq!(delay(text, "a"), Some(4));
        // A group for this robot, without a delay.
        assert_eq!(delay(text, "c"), None);
        assert_eq!((delay(text, "d"), delay(text, "")), (Some(3), Some(3)));
        let text = "User-agent: a\nCrawl-delay: 3\nCrawl-delay: 2\nUser-agent: b\nCrawl-delay: 4";
        assert_eq!((delay(text, "a"), delay(text, "b")), (Some(3), Some(4)));
        for value in ["-1", "NaN", "inf", "1e300", "soon", ""] {
            assert_eq!(
                delay(&format!("User-agent: *\nCrawl-delay: {value}"), "a"),
                None
            );
        }
    }
}
