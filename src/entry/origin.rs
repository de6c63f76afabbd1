use url::{ParseError, Position, Url};

use crate::value::url::is_web;

/// Parses URLs as [`Url::parse`] does. The URLs of a sitemap share a scheme and a host or two: those are not parsed
/// again for each of them, which is a quarter of the work.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// The root pages of what has been seen lately.
    known: Vec<Url>,
    /// Which of them makes room for another.
    oldest: usize,
    /// How many URLs in a row began with none of them.
    missed: usize,
    spelt: String,
}

/// As many as the longest origin has bytes.
const SPACES: &str = "                                                                                                    ";

const KEPT: usize = 4;
/// A longer scheme, host and port is not worth it.
const LONGEST: usize = SPACES.len();
/// Where so many URLs in a row have hosts of their own, only one in so many is remembered.
const PATIENCE: usize = 16;

impl Origins {
    pub(crate) fn parse(&mut self, text: &str) -> Result<Url, ParseError> {
        let root = self.known.iter().find(|root| is_below(text, root));
        if let Some(root) = root {
            self.missed = 0;
            // Parsed relative to its root. `Url` ignores spaces in front, but allocates as much as the text is
            // long: as much as it will need.
            let origin = root.as_str().len() - 1;
            self.spelt.clear();
            self.spelt.push_str(SPACES.get(..origin).unwrap_or(SPACES));
            self.spelt.push_str(text.get(origin..).unwrap_or_default());
            let parsed = Url::options().base_url(Some(root)).parse(&self.spelt);
            self.spelt.shrink_to(4096);
            return parsed;
        }
        let url = Url::parse(text)?;
        self.missed += 1;
        if self.missed < PATIENCE || self.missed % PATIENCE == 0 {
            self.remember(text, &url);
        }
        Ok(url)
    }

    fn remember(&mut self, text: &str, url: &Url) {
        let origin = &url[..Position::BeforePath];
        if !is_web(url.scheme()) || origin.len() > LONGEST || !text.starts_with(origin) {
            return;
        }
        let Ok(root) = Url::parse(origin) else {
            return;
        };
        if self.known.len() < KEPT {
            self.known.push(root);
        } else if let Some(oldest) = self.known.get_mut(self.oldest) {
            *oldest = root;
            self.oldest = (self.oldest + 1) % KEPT;
        }
    }
}

/// Whether the text spells a page below this root, with nothing behind the root that could change it.
fn is_below(text: &str, root: &Url) -> bool {
    let path = text.strip_prefix(root.as_str()).map(str::as_bytes);
    path.is_some_and(|path| match path {
        [] => true,
        [first, ..] => first.is_ascii_graphic() && !matches!(first, b'/' | b'\\'),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    fn spelt() -> impl Strategy<Value = String> {
        let origin = prop_oneof![
            Just("https://example.com"),
            Just("http://example.com"),
            Just("https://example.com:8080"),
            Just("https://example.com:443"),
            Just("https://u:p@example.com"),
            Just("https://www.example.com"),
            Just("https://example.community"),
            Just("HTTPS://example.com"),
            Just("https://ex\u{e4}mple.com"),
            Just("https://xn--exmple-cua.com"),
            Just("https://[::1]"),
            Just("https:/example.com"),
            Just("ftp://example.com"),
            Just("mailto:a@example.com"),
            Just(""),
        ];
        let path = "[/\\\\?#@:;.%&a2e \t\n\u{e9}\u{1}]{0,10}";
        (origin, path).prop_map(|(origin, path)| format!("{origin}{path}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn nothing_differs_from_what_url_parses(texts in prop::collection::vec(spelt(), 1..20)) {
            let mut origins = Origins::default();
            for text in &texts {
                // Urls are equal where they are spelt alike; their parts are to be the same, too.
                let parts = |url: Result<Url, ParseError>| format!("{url:?}");
                let found = parts(origins.parse(text));
                prop_assert_eq!(found, parts(Url::parse(text)), "{:?} in {:?}", text, texts);
            }
        }
    }

    #[test]
    fn a_few_are_kept_however_many_there_are() {
        let mut origins = Origins::default();
        for host in 0..100 {
            origins.parse(&format!("https://{host}.example/")).unwrap();
        }
        assert_eq!(origins.known.len(), KEPT);
        let long = format!("https://{}@example.com/", "u".repeat(LONGEST));
        origins.parse(&long).unwrap();
        assert!(
            origins
                .known
                .iter()
                .all(|root| root.as_str().len() < LONGEST)
        );
        // One that stays is remembered soon enough.
        for page in 0..=PATIENCE {
            origins
                .parse(&format!("https://example.com/{page}"))
                .unwrap();
        }
        assert_eq!(origins.missed, 0);
    }
}
