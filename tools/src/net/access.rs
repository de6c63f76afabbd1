//! What a robots.txt allows, as a well-tested crate reads it.

use quick_sitemap::url::Url;
use robotxt::Robots;

/// Search engines look at no more of a robots.txt.
pub(crate) const ROBOTS_BYTES: u64 = 500 << 10;

/// The rules of a robots.txt for all robots, and for the one that this program says to be.
#[derive(Debug)]
pub(crate) struct Access {
    everyone: Robots,
    own: Robots,
    /// The product of the header `User-Agent`: `quick-sitemap` for `quick-sitemap/0.1`.
    product: String,
}

impl Access {
    pub(crate) fn of(text: &[u8], user_agent: &str) -> Self {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let ends = |character: char| character == '/' || character.is_whitespace();
        let product = user_agent.split(ends).next().unwrap_or_default();
        Self {
            everyone: Robots::from_bytes(text, "*"),
            own: Robots::from_bytes(text, product),
            product: product.to_owned(),
        }
    }

    /// The robot that must not request the URL, `*` or the one that this program says to be.
    pub(crate) fn forbidden_for(&self, url: &Url) -> Option<&str> {
        if !self.everyone.is_absolute_allowed(url) {
            return Some("*");
        }
        (!self.own.is_absolute_allowed(url)).then_some(self.product.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_groups_count() {
        let robots = "\u{feff}User-agent: *\r\nDisallow: /private/\nAllow: /private/open\nDisallow: /*.pdf$\n\n\
            User-agent: quick-sitemap\nDisallow: /slow\n\nSitemap: https://e.com/s.xml\n";
        let access = Access::of(robots.as_bytes(), "quick-sitemap/0.1 (+https://e.com)");
        let forbidden = |path: &str| {
            let url = format!("https://e.com{path}").parse().unwrap();
            access.forbidden_for(&url).map(str::to_owned)
        };
        assert_eq!(forbidden("/"), None);
        assert_eq!(forbidden("/private/a").as_deref(), Some("*"));
        assert_eq!(forbidden("/private/open"), None);
        assert_eq!(forbidden("/a.pdf").as_deref(), Some("*"));
        assert_eq!(forbidden("/a.pdf?b"), None);
        assert_eq!(forbidden("/slow?a=b").as_deref(), Some("quick-sitemap"));
        for text in ["", "Disallow:\n", "User-agent: *\nDisallow:\n", "<html>"] {
            let access = Access::of(text.as_bytes(), "x");
            let url = "https://e.com/a".parse().unwrap();
            assert_eq!(access.forbidden_for(&url), None, "{text}");
        }
    }
}
