//! Videos that Google does not show: also those that break no rule of the schema.

use std::time::Duration;

use quick_sitemap::UrlEntry;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::extension::Video;
use quick_sitemap::url::Url;

use super::finding::Finding;
use super::rules::rule;
use crate::term::clipped::clipped;

/// Adds the videos of a page that have expired, last no time, are a page or Flash, or whose uploader is elsewhere.
pub(crate) fn judge(page: Option<&UrlEntry>, now: DateTime<Utc>, found: &mut Vec<Finding>) {
    let Some(page) = page else {
        return;
    };
    for video in &page.videos {
        let uploader = video.uploader.as_ref();
        let info = uploader.and_then(|uploader| uploader.info.as_ref());
        if let Some(info) = info.filter(|info| domain(info) != domain(&page.loc)) {
            let (rule, info) = (rule!("uploader-elsewhere"), clipped(info.as_str()));
            let message = format!("`video:uploader` has a page on another domain, `{info}`");
            found.push(Finding::of("video", rule, &message));
        }
        // A date without a time ends with its day.
        if let Some(end) = video.expiration_date.filter(|date| !date.may_be_since(now)) {
            let message = format!("the video has expired: expiration_date `{end}`");
            found.push(Finding::of("video", rule!("expired-video"), &message));
        }
        if let Some(why) = unusable(video) {
            found.push(Finding::of("video", rule!("video-format"), &why));
        }
    }
}

/// The last two labels of a host. If they differ, so do the domains.
fn domain(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    let dot = host.rmatch_indices('.').nth(1);
    dot.and_then(|(dot, _)| host.get(dot + 1..)).unwrap_or(host)
}

fn unusable(video: &Video) -> Option<String> {
    if video.duration == Some(Duration::ZERO) {
        return Some("the video lasts 0 seconds".to_owned());
    }
    let player = video.player.as_ref().map(|player| &player.loc);
    let files: [(&str, Option<&Url>, &[&str]); 2] = [
        (
            "content_loc",
            video.content_loc.as_ref(),
            &["swf", "htm", "html", "xhtml"],
        ),
        // A player is a page.
        ("player_loc", player, &["swf"]),
    ];
    files.into_iter().find_map(|(name, url, endings)| {
        let url = url?;
        let (_, ending) = url.path().rsplit_once('.')?;
        let ending = endings
            .iter()
            .find(|known| known.eq_ignore_ascii_case(ending))?;
        let kind = if *ending == "swf" { "Flash" } else { "a page" };
        let url = clipped(url.as_str());
        Some(format!("`video:{name}` is {kind}, not a video: `{url}`"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(xml: &str) -> Vec<&'static str> {
        let xml = format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
             xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'><url><loc>https://e.com/v</loc>\
             <video:video>{xml}</video:video></url></urlset>"
        );
        let entry = quick_sitemap::Reader::from_bytes(&xml).next().unwrap();
        let page = entry.unwrap().into_url().unwrap();
        let mut found = Vec::new();
        let now = "2026-11-28T12:00:00Z".parse().unwrap();
        judge(Some(&page), now, &mut found);
        found.iter().map(|problem| problem.rule.name).collect()
    }

    /// The page is at `e.com`.
    #[test]
    fn an_uploader_is_on_the_domain_of_the_page() {
        for (info, is_elsewhere) in [
            ("https://e.com/u", false),
            ("http://users.e.com:8080/u", false),
            ("https://e.org/u", true),
            ("https://other-e.com/u", true),
            ("https://e.com.example.net/", true),
            ("https://localhost/", true),
        ] {
            let xml = format!("<video:uploader info='{info}'>A</video:uploader>");
            let expected = ["uploader-elsewhere"][..usize::from(is_elsewhere)].to_vec();
            assert_eq!(found(&xml), expected, "{info}");
        }
        assert!(found("<video:uploader>A</video:uploader>").is_empty());
    }

    #[test]
    fn expired_without_length_or_no_video() {
        let expired = |date: &str| format!("<video:expiration_date>{date}</video:expiration_date>");
        for (xml, expected) in [
            (expired("2009-11-05"), &["expired-video"][..]),
            (expired("2026-11-27"), &["expired-video"]),
            (expired("2026-11-28T11:59:59Z"), &["expired-video"]),
            (expired("2026-11-28"), &[]),
            (expired("2026-11-28T14:00:00+01:00"), &[]),
            (
                "<video:duration>0</video:duration>".to_owned(),
                &["video-format"],
            ),
            ("<video:duration>1</video:duration>".to_owned(), &[]),
        ] {
            assert_eq!(found(&xml), expected, "{xml}");
        }
        for (tag, path, is_found) in [
            ("content_loc", "v.swf", true),
            ("content_loc", "V.SWF?a=1", true),
            ("content_loc", "watch.html", true),
            ("content_loc", "v.mp4", false),
            ("content_loc", "v", false),
            ("content_loc", "?file=v.swf", false),
            ("player_loc", "player.swf?v=1", true),
            ("player_loc", "player.html", false),
        ] {
            let xml = format!("<video:{tag}>https://e.com/{path}</video:{tag}>");
            let expected: &[&str] = if is_found { &["video-format"] } else { &[] };
            assert_eq!(found(&xml), expected, "{xml}");
        }
    }
}
