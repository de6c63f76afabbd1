//! The robots.txt of many sites, which the library judges.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use quick_sitemap::url::Url;
use quick_sitemap_crawl::robots::{Answer, Rules, Why};

use crate::term::count::{Count, Grouped};

/// Bytes of rules that are kept of all origins. Beyond that, all are forgotten, and read again when they are needed.
const MAX_KEPT: usize = 32 << 20;

/// The robots.txt of a site.
#[derive(Debug, Clone, Default)]
pub(crate) struct SiteRobots {
    /// Its URL, and the answer. `None` if it was not requested.
    pub(crate) answer: Option<(Url, Arc<Answer>)>,
    /// The header `User-Agent`.
    pub(crate) user_agent: String,
    /// The reason why it could not be read, or not to its end. A robots.txt that does not exist is not a failure.
    pub(crate) failure: Option<String>,
}

impl SiteRobots {
    pub(crate) fn rules(&self) -> Option<&Rules> {
        self.answer.as_ref()?.1.rules()
    }

    /// The sitemaps that it lists.
    pub(crate) fn sitemaps(&self) -> Vec<Url> {
        let read = self.answer.as_ref();
        let read = read.and_then(|(place, answer)| Some(answer.rules()?.sitemaps(place)));
        read.map_or_else(Vec::new, Iterator::collect)
    }

    /// Returns `true` if it is an HTML page.
    pub(crate) fn is_page(&self) -> bool {
        let answer = self.answer.as_ref().map(|(_, answer)| &**answer);
        matches!(answer, Some(Answer::Absent(Why::Page)))
    }

    /// Returns `true` if everything about it is unknown.
    pub(crate) fn is_unknown(&self) -> bool {
        let answer = self.answer.as_ref().map(|(_, answer)| &**answer);
        matches!(
            answer,
            None | Some(Answer::NotUnderstood(_) | Answer::Unreachable(_))
        )
    }

    /// The reason why it lists nothing, although it may exist.
    pub(crate) fn refusal(&self) -> Option<&str> {
        match self.answer.as_ref().map(|(_, answer)| &**answer)? {
            Answer::Absent(Why::Page) => Some("it is an HTML page"),
            Answer::Absent(_) | Answer::Refused(_) => self.failure.as_deref(),
            _ => None,
        }
    }

    /// Returns the robot that must not request the URL of the site: `*`, or the name of this program.
    pub(crate) fn forbidden_for(&self, url: &Url) -> Option<&str> {
        let (place, answer) = self.answer.as_ref()?;
        let rules = answer.rules()?;
        let is_end = |c: char| c == '/' || c.is_whitespace();
        let own = self.user_agent.split(is_end).next().unwrap_or_default();
        let mut robots = ["*", own].into_iter();
        let robot = robots.find(|robot| !rules.allows(robot, url));
        robot.filter(|_| place.origin() == url.origin())
    }
}

/// A line that should name a sitemap, and does not name one by a complete URL: its number, the line, and `true` if it has a
/// relative URL.
pub(crate) type UnusableLine = (u64, String, bool);

/// Returns these lines of a robots.txt.
pub(crate) fn unusable_lines(rules: &Rules) -> Vec<UnusableLine> {
    let lines = rules.sitemap_lines().filter(|line| !line.is_absolute);
    let lines = lines.map(|line| (line.number, line.text.to_owned(), line.is_usable));
    lines.collect()
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

/// The answers of the origins that were used recently.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    known: HashMap<String, Arc<OnceLock<Option<Arc<Answer>>>>>,
    bytes: usize,
}

/// The answer of the origin of a URL; `None` if there is none. It is requested once, by the first thread that needs it.
pub(crate) fn of_origin(
    origins: &Mutex<Origins>,
    url: &Url,
    read: impl FnOnce() -> Option<Arc<Answer>>,
) -> Option<Arc<Answer>> {
    let name = url.origin().ascii_serialization();
    let known = Arc::clone(lock(origins).known.entry(name).or_default());
    let answer = known.get_or_init(|| {
        let answer = read();
        let rules = answer.as_ref().and_then(|answer| answer.rules());
        lock(origins).count(rules.map_or(0, Rules::memory));
        answer
    });
    answer.clone()
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

    #[test]
    fn lines_that_name_no_sitemap() {
        let line = |line: &str| {
            unusable_lines(&Rules::parse(format!("User-agent: *\n{line}\n").as_bytes()))
        };
        for (text, is_relative) in [
            ("Sitemap: /sitemap.xml", true),
            ("SITE-MAP: sitemap.xml # all", true),
            ("sitemap : ./maps/index.xml.gz", true),
            ("Sitemaps: /sitemap.xml", true),
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
            "- Sitemap: https://e.com/sitemap.xml",
            "# Sitemap: /sitemap.xml",
            "Disallow: /sitemap.xml",
        ] {
            assert_eq!(line(text), [], "{text}");
        }
    }

    #[test]
    fn the_rules_of_old_origins_are_forgotten() {
        let origins = Mutex::<Origins>::default();
        let url = |number| format!("http://e.com:{number}").parse().unwrap();
        let text: String = (0..40_000).map(|n| format!("Disallow: /{n}\n")).collect();
        let rules = Rules::parse(format!("User-agent: *\n{text}").as_bytes());
        let bytes = rules.memory();
        let answer = Arc::new(Answer::Read(rules));
        for number in 1..100 {
            let read = || Some(Arc::clone(&answer));
            assert!(of_origin(&origins, &url(number), read).is_some());
        }
        // They are read once.
        assert!(of_origin(&origins, &url(99), || panic!()).is_some());
        let kept = lock(&origins).known.len() * bytes;
        assert!(0 < kept && kept <= MAX_KEPT, "{kept}");
        assert!(of_origin(&origins, &url(1), || None).is_none());
    }
}
