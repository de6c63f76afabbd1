//! The findings about a robots.txt.

use crate::judge::finding::Finding;
use crate::judge::rules::rule;
use crate::net::robots::{SiteRobots, UnusableLine, unusable_lines};
use crate::term::clipped::clipped;

/// Those of a site.
pub(super) fn of_site(robots: &SiteRobots) -> Vec<Finding> {
    if let Some(why) = &robots.failure {
        let message = format!("robots.txt cannot be read: {why}");
        return vec![Finding::new(rule!("unreadable-robots"), &message)];
    }
    let unusable = robots.rules().map(unusable_lines).unwrap_or_default();
    let mut found: Vec<_> = unusable.iter().map(of_line).collect();
    let sitemaps = robots.sitemaps();
    let lists_none = match robots.rules() {
        None if robots.is_page() => "robots.txt is an HTML page, which lists no sitemap",
        None => "there is no robots.txt, which should list the sitemaps",
        Some(_) if sitemaps.is_empty() => "robots.txt lists no sitemap",
        Some(_) => {
            found.extend(sitemaps.iter().filter_map(|url| {
                let (robot, shown) = (robots.forbidden_for(url)?, clipped(url.as_str()));
                let message = format!("robots.txt lists `{shown}`, and forbids it for `{robot}`");
                let finding = Finding::new(rule!("disallowed-sitemap"), &message);
                Some(finding.on_page(url.as_str()))
            }));
            return found;
        }
    };
    found.push(Finding::new(rule!("robots-without-sitemap"), lists_none));
    found
}

/// A line of a robots.txt that names no sitemap by a complete URL.
pub(super) fn of_line((number, line, is_relative): &UnusableLine) -> Finding {
    let line = clipped(line);
    let why = if *is_relative {
        "names a sitemap by a relative URL"
    } else {
        "names no sitemap, because it has no complete URL"
    };
    let message = format!("line {number}, `{line}`, {why}");
    Finding::new(rule!("robots-sitemap-line"), &message)
}
