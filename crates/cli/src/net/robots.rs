//! The robots whose rules count, and the answers of many hosts to the request for robots.txt.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use quick_sitemap::url::Url;
use quick_sitemap_crawl::robots::{Answer, Rules, SitemapLine};

use crate::term::count::{Count, Grouped};

/// The header of requests without `--user-agent`.
pub(crate) const USER_AGENT: &str = concat!("quick-sitemap/", env!("CARGO_PKG_VERSION"));

/// Bytes of the answers that are kept of all hosts; beyond that, all are forgotten and requested again when they are needed.
const MAX_KEPT: usize = 32 << 20;
/// Bytes of an answer in addition to its rules.
const ENTRY: usize = 512;

/// A line that should name a sitemap, and does not name one by a complete URL: its number, the line, and `true` if it has a
/// relative URL.
pub(crate) type UnusableLine = (u64, String, bool);

/// Returns these lines of a robots.txt.
pub(crate) fn unusable_lines(rules: &Rules) -> Vec<UnusableLine> {
    let lines = rules.sitemap_lines().filter(|line| !line.is_absolute);
    let unusable = |line: SitemapLine<'_>| (line.number, line.text.to_owned(), line.is_usable);
    lines.map(unusable).collect()
}

/// The rules that do not count because of a bound, as the end of a message about the file.
pub(crate) fn left_out(rules: &Rules) -> Option<String> {
    if rules.ignored() > 0 {
        let ignored = Count(rules.ignored() as u64, "rule");
        let most = Grouped(2_000);
        return Some(format!(
            "{ignored} ignored, since only the first {most} rules with `*` of a group count"
        ));
    }
    let text = if rules.is_cut() {
        "longer than 8 MiB; the rest is ignored"
    } else {
        "longer than 500 KiB; the rules in the rest are ignored"
    };
    (rules.is_cut() || rules.has_more_rules()).then(|| text.to_owned())
}

/// The name at the start of a `User-Agent`.
pub(crate) fn product(user_agent: &str) -> &str {
    let is_end = |character: char| character == '/' || character.is_whitespace();
    user_agent.split(is_end).next().unwrap_or_default()
}

/// The robots that findings are about: Googlebot and Bingbot, or the one that `--user-agent` names.
#[derive(Clone, Debug)]
pub(crate) struct Readers(Vec<String>);

/// The robots.txt of a site was not requested, or not understood.
pub(crate) struct NotAsked;

/// What a robot requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Page,
    /// An image of a page, which Google requests under another name.
    Image,
    /// A file of a video, of which only Google reads sitemaps.
    Video,
}

impl Readers {
    pub(crate) fn of(user_agent: &str) -> Self {
        if user_agent == USER_AGENT {
            return Self(["Googlebot", "Bingbot"].map(str::to_owned).to_vec());
        }
        Self(vec![product(user_agent).to_owned()])
    }

    /// The robots that may request nothing of the site, and `true` if these are all.
    pub(crate) fn shut_out(&self, rules: &Rules) -> (Vec<&str>, bool) {
        let robots = self.0.iter().map(String::as_str);
        let found: Vec<_> = robots.filter(|robot| rules.forbids_all(robot)).collect();
        let is_all = found.len() == self.0.len();
        (found, is_all)
    }

    /// As [`forbidden`](Self::forbidden), by the answer of the site of the URL.
    pub(crate) fn forbidden_by(
        &self,
        answer: &Answer,
        url: &Url,
        wanted: Wanted,
    ) -> Result<Option<String>, NotAsked> {
        match answer.rules() {
            Some(rules) => Ok(self.forbidden(rules, url, wanted)),
            None if answer.is_gone() => Ok(None),
            None => Err(NotAsked),
        }
    }

    /// The names of the robots that may not request the URL, as a message has them. Those that may request nothing are one
    /// finding, and not named here.
    pub(crate) fn forbidden(&self, rules: &Rules, url: &Url, wanted: Wanted) -> Option<String> {
        let robots = self.0.iter().map(String::as_str);
        let robots = robots.take(if wanted == Wanted::Page {
            usize::MAX
        } else {
            1
        });
        let robots = robots.map(|robot| match (robot, wanted) {
            ("Googlebot", Wanted::Image) if rules.names("Googlebot-Image") => "Googlebot-Image",
            _ => robot,
        });
        let found = robots.filter(|robot| !rules.allows(robot, url) && !rules.forbids_all(robot));
        joined(&found.collect::<Vec<_>>())
    }
}

/// `Googlebot and Bingbot`
pub(crate) fn joined(robots: &[&str]) -> Option<String> {
    (!robots.is_empty()).then(|| robots.join(" and "))
}

/// The answer of a site to the request for its robots.txt.
#[derive(Debug)]
pub(crate) struct SiteRobots {
    /// The site that was asked first, whatever redirects led to.
    pub(crate) site: Url,
    pub(crate) answer: Answer,
    /// Why it is not a robots.txt that was read, as it may be shown.
    pub(crate) why: Option<String>,
}

impl SiteRobots {
    /// The sitemaps that it names.
    pub(crate) fn sitemaps(&self) -> impl Iterator<Item = Url> {
        let rules = self.answer.rules().into_iter();
        rules.flat_map(|rules| rules.sitemaps(&self.site))
    }
}

/// The answers of the origins that were used recently.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    known: HashMap<String, Arc<OnceLock<Option<Arc<SiteRobots>>>>>,
    bytes: usize,
}

/// The answer of the origin of a URL; `None` if there was none because of a request to stop. It is requested once, by the
/// first thread that needs it.
pub(crate) fn of_origin(
    origins: &Mutex<Origins>,
    url: &Url,
    read: impl FnOnce() -> Option<Arc<SiteRobots>>,
) -> Option<Arc<SiteRobots>> {
    let name = url.origin().ascii_serialization();
    let known = Arc::clone(lock(origins).known.entry(name).or_default());
    let answer = known.get_or_init(|| {
        let robots = read();
        let rules = robots.as_ref().and_then(|robots| robots.answer.rules());
        lock(origins).count(rules.map_or(0, Rules::memory));
        robots
    });
    answer.clone()
}

fn lock(origins: &Mutex<Origins>) -> MutexGuard<'_, Origins> {
    origins.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Origins {
    /// Forgets all origins before there are too many.
    fn count(&mut self, bytes: usize) {
        self.bytes += ENTRY + bytes;
        if self.bytes > MAX_KEPT {
            self.known.clear();
            self.bytes = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forbidden(text: &str, path: &str, wanted: Wanted) -> Option<String> {
        let url = format!("https://e.com{path}").parse().unwrap();
        let readers = Readers::of(USER_AGENT);
        readers.forbidden(&Rules::parse(text.as_bytes()), &url, wanted)
    }

    /// The rules of a robot are those of the groups that name it, or else of `*`.
    #[test]
    fn whose_rules() {
        let page = |text: &str, path: &str| forbidden(text, path, Wanted::Page);
        let both = Some("Googlebot and Bingbot".to_owned());
        assert_eq!(page("User-agent: *\nDisallow: /a\n", "/a"), both);
        let admits =
            "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nAllow: /\n";
        assert_eq!(page(admits, "/a"), None);
        let twice = "User-agent: Googlebot\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\n";
        for path in ["/a", "/b"] {
            assert_eq!(page(twice, path).as_deref(), Some("Googlebot"));
        }
        let stars = "User-agent: *\nDisallow: /a\n\nUser-agent: x\nDisallow: /c\n\nUser-agent: *\nDisallow: /b\n";
        assert_eq!((page(stars, "/a"), page(stars, "/b")), (both.clone(), both));
        assert_eq!(page(stars, "/c"), None);
        let image = "User-agent: Googlebot-Image\nDisallow: /i\n";
        assert_eq!(page(image, "/i"), None);
        assert_eq!(
            forbidden(image, "/i", Wanted::Image).as_deref(),
            Some("Googlebot-Image")
        );
        let bot = "User-agent: Googlebot\nDisallow: /i\n\nUser-agent: Bingbot\nDisallow: /j\n";
        assert_eq!(
            forbidden(bot, "/i", Wanted::Image).as_deref(),
            Some("Googlebot")
        );
        assert_eq!(forbidden(bot, "/j", Wanted::Video), None);
    }

    #[test]
    fn a_robot_that_is_shut_out_is_named_once() {
        let readers = Readers::of(USER_AGENT);
        for (text, found, is_all) in [
            (
                "User-agent: *\nDisallow: /\n",
                &["Googlebot", "Bingbot"][..],
                true,
            ),
            ("User-agent: bingbot\nDisallow: /*\n", &["Bingbot"], false),
            ("User-agent: *\nDisallow: /\nAllow: /a\n", &[], false),
            ("User-agent: *\nDisallow:\n", &[], false),
            ("", &[], false),
        ] {
            let rules = Rules::parse(text.as_bytes());
            assert_eq!(readers.shut_out(&rules), (found.to_vec(), is_all), "{text}");
        }
        assert_eq!(
            forbidden("User-agent: *\nDisallow: /\n", "/a", Wanted::Page),
            None
        );
    }

    #[test]
    fn the_answers_of_old_origins_are_forgotten() {
        let origins = Mutex::<Origins>::default();
        let url = |number: u32| -> Url { format!("http://e.com:{number}").parse().unwrap() };
        let rules: String = (0..40_000).map(|n| format!("Disallow: /{n}\n")).collect();
        let rules = Rules::parse(format!("User-agent: *\n{rules}").as_bytes());
        let memory = rules.memory();
        let robots = Arc::new(SiteRobots {
            site: url(1),
            answer: Answer::Read(rules),
            why: None,
        });
        for number in 1..100 {
            let read = || Some(Arc::clone(&robots));
            assert!(of_origin(&origins, &url(number), read).is_some());
        }
        // They are read once.
        assert!(of_origin(&origins, &url(99), || panic!()).is_some());
        let kept = lock(&origins).known.len() * memory;
        assert!(0 < kept && kept <= MAX_KEPT, "{kept}");
        assert!(of_origin(&origins, &url(1), || None).is_none());
    }
}
