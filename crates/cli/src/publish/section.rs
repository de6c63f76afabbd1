//! `--group`: pages with sitemaps of their own.

use std::str::FromStr;

use regex_lite::Regex;

/// `REGEX=NAME`
#[derive(Clone, Debug)]
pub(super) struct Section {
    regex: Regex,
    pub(super) name: String,
}

impl FromStr for Section {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A name has no `=`, a regex may.
        let Some((regex, name)) = text.rsplit_once('=') else {
            return Err("must be REGEX=NAME".to_owned());
        };
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(is_allowed) {
            return Err("NAME must consist of letters, digits, `-`, `_` and `.`".to_owned());
        }
        let regex = Regex::new(regex).map_err(|error| error.to_string())?;
        Ok(Self {
            regex,
            name: name.to_owned(),
        })
    }
}

/// The name of the first section that the page belongs to.
pub(super) fn find<'s>(sections: &'s [Section], loc: &str) -> Option<&'s str> {
    let mut sections = sections.iter();
    let section = sections.find(|section| section.regex.is_match(loc));
    section.map(|section| &*section.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_matches() {
        let sections: Vec<Section> = [r"\?id=\d=items", "/blog/=blog", "/=rest"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        assert_eq!(find(&sections, "https://example.com/?id=7"), Some("items"));
        assert_eq!(find(&sections, "https://example.com/blog/a"), Some("blog"));
        assert_eq!(find(&sections, "https://example.com/a"), Some("rest"));
        assert_eq!(find(&sections[..2], "https://example.com/a"), None);
        for wrong in ["/blog/", "/blog/=", "/blog/=a/b", "(=a", "a=.hidden"] {
            assert!(wrong.parse::<Section>().is_err(), "{wrong}");
        }
    }
}
