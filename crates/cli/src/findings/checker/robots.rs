//! The findings about a robots.txt.

use quick_sitemap_crawl::robots::{Answer, Rules, Why};

use crate::judge::finding::Finding;
use crate::judge::rules::rule;
use crate::net::robots::{Readers, UnusableLine, Wanted, joined, unusable_lines};
use crate::source::sink::{RobotsOf, RobotsTxt};
use crate::term::clipped::clipped;

pub(super) fn findings(robots: &RobotsTxt<'_>, readers: &Readers) -> Vec<Finding> {
    let why = robots.why.unwrap_or_default();
    let lists_none = match robots.answer {
        Answer::Read(rules) => {
            let mut found = of_rules(robots, rules, readers);
            let lists_none = rules.sitemap_lines().all(|line| !line.is_usable);
            if lists_none && robots.of == RobotsOf::Site {
                let none = "robots.txt lists no sitemap";
                found.push(Finding::new(rule!("robots-without-sitemap"), none));
            }
            return found;
        }
        Answer::NotUnderstood(_) | Answer::Unreachable(_) => {
            let message = format!("robots.txt cannot be read: {why}");
            return vec![Finding::new(rule!("unreadable-robots"), &message)];
        }
        _ if robots.of != RobotsOf::Site => return Vec::new(),
        Answer::Absent(Why::Status(404 | 410)) => {
            "there is no robots.txt, which should list the sitemaps".to_owned()
        }
        Answer::Absent(Why::Page) => {
            "robots.txt is an HTML page, which lists no sitemap".to_owned()
        }
        Answer::Absent(_) | Answer::Refused(_) => {
            format!("there is no robots.txt that lists a sitemap: {why}")
        }
    };
    vec![Finding::new(rule!("robots-without-sitemap"), &lists_none)]
}

/// Those of a robots.txt that was read.
fn of_rules(robots: &RobotsTxt<'_>, rules: &Rules, readers: &Readers) -> Vec<Finding> {
    let mut found: Vec<_> = unusable_lines(rules).iter().map(of_line).collect();
    let (shut_out, is_all) = readers.shut_out(rules);
    if let Some(names) = joined(&shut_out) {
        let message = format!("robots.txt forbids the whole site to {names}");
        let finding = Finding::new(rule!("forbids-the-site"), &message);
        // Previews do so, and some sites shut out one robot on purpose.
        let is_sure = is_all && robots.of != RobotsOf::Folder;
        found.push(if is_sure { finding } else { finding.warning() });
    }
    if let Some(site) = robots.site {
        let named = rules.sitemaps(site);
        let own = named.filter(|url| url.origin() == site.origin());
        found.extend(own.filter_map(|url| {
            let robots = readers.forbidden(rules, &url, Wanted::Page)?;
            let shown = clipped(url.as_str());
            let message = format!("robots.txt lists `{shown}`, and forbids it to {robots}");
            let finding = Finding::new(rule!("disallowed-sitemap"), &message);
            Some(finding.on_page(url.as_str()))
        }));
    }
    found
}

/// A line of a robots.txt that names no sitemap by a complete URL.
fn of_line((number, line, is_relative): &UnusableLine) -> Finding {
    let line = clipped(line);
    let why = if *is_relative {
        "names a sitemap by a relative URL"
    } else {
        "names no sitemap, because it has no complete URL"
    };
    let message = format!("line {number}, `{line}`, {why}");
    Finding::new(rule!("robots-sitemap-line"), &message)
}
