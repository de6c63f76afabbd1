//! The sites that a sitemap lists, if its own is not known: the protocol allows one.

use quick_sitemap::url::{Position, Url};

use crate::term::clipped::clipped;

/// The first sites, each by a URL of it: the first one by its root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sites {
    first: Option<Url>,
    second: Option<Url>,
}

impl Sites {
    /// Returns `true` for the first URL of a second site.
    pub(crate) fn see(&mut self, url: &Url) -> bool {
        match &self.first {
            None => self.first = url.join("/").ok(),
            Some(first)
                if self.second.is_none()
                    && !url.as_str().starts_with(first.as_str())
                    && first.origin() != url.origin() =>
            {
                self.second = Some(url.clone());
                return true;
            }
            Some(_) => {}
        }
        false
    }

    /// The problem, if there is more than one.
    pub(crate) fn several(&self) -> Option<String> {
        let [first, second] = [self.first.as_ref()?, self.second.as_ref()?]
            .map(|url| clipped(&url[..Position::BeforePath]).into_owned());
        Some(format!(
            "URLs of several sites are listed, such as `{first}` and `{second}`"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_site_is_allowed() {
        let several = |urls: &[&str]| {
            let mut sites = Sites::default();
            let seen = urls.iter().filter(|url| sites.see(&url.parse().unwrap()));
            let seen = seen.count();
            assert_eq!(seen, usize::from(sites.several().is_some()));
            sites.several()
        };
        assert_eq!(several(&[]), None);
        assert_eq!(
            several(&[
                "https://e.com/a",
                "https://e.com:443/b",
                "https://me@e.com/"
            ]),
            None
        );
        for other in ["http://e.com/", "https://www.e.com/", "https://e.com:8443/"] {
            let found = several(&["https://e.com/a", other, "https://third.example/"]).unwrap();
            assert!(found.contains("`https://e.com`"), "{found}");
            assert!(found.contains(other.trim_end_matches('/')), "{found}");
        }
    }
}
