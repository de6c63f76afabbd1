//! The extension `xhtml:link`: a page in other languages.

use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::str::Split;

use url::Url;

use super::Extension;
use crate::interpret::{Interpreter, ValueText};
use crate::raw::RawElement;
use crate::tape::Value;
use crate::value::LanguageTag;
use crate::value::url::{has_other_scheme, plain_url};
use crate::violation::{Effect, Rule, Violation};
use crate::xml::writer::{Plain, XmlWriter, attr, tag};

/// The same page in another language or for another region: `xhtml:link rel="alternate" hreflang="…"`.
///
/// Links without `hreflang` that have `media` (mobile pages) or a URL of another scheme (apps) are in
/// [`foreign`](crate::UrlEntry::foreign), as are those with another `rel`.
///
/// # Examples
///
/// ```
/// use quick_sitemap::extension::Alternate;
///
/// let swiss = Alternate::new("de-CH", "https://example.com/ch/".parse().unwrap());
/// assert_eq!(swiss.hreflang, "de-CH");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Alternate {
    /// A BCP 47 language tag (`de`, `de-CH`, `zh-Hant`), or `x-default` for the page for all other languages.
    pub hreflang: LanguageTag,
    /// The URL of the page in that language: absolute, http or https.
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::value::url::serialize::required")
    )]
    pub href: Url,
}

impl Alternate {
    /// Creates an alternate: the page at `href` is the one for `hreflang`.
    #[must_use]
    pub fn new(hreflang: impl Into<LanguageTag>, href: Url) -> Self {
        Self {
            hreflang: hreflang.into(),
            href,
        }
    }

    /// Reads a link of the usual form without violations. `None` does not mean that the link is wrong:
    /// [`read`](Self::read) must be called.
    #[inline]
    pub(crate) fn read_usual(element: RawElement<'_>) -> Option<Self> {
        let (hreflang, href) = element.usual_link()?;
        if !is_language_tag(hreflang) {
            return None;
        }
        let href = plain_url(href).ok()?;
        Some(Self {
            hreflang: hreflang.into(),
            href,
        })
    }

    /// Adds a link that has no other `rel` to the alternates of an entry. Returns `false` if it does not refer to a page in
    /// another language, so that it is kept as a foreign element.
    pub(crate) fn read_into(
        alternates: &mut Vec<Self>,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) -> bool {
        let (mut rel, mut hreflang, mut href) = (Value::NONE, Value::NONE, Value::NONE);
        for (name, value) in element.attribute_values() {
            match name {
                b"rel" => rel = value,
                b"hreflang" => hreflang = value,
                b"href" => href = value,
                _ => {}
            }
        }
        let is_incomplete = rel.is_empty() || hreflang.is_empty() || href.is_empty();
        if is_incomplete && is_of_another_kind(|name| element.attribute(name)) {
            return false;
        }
        cx.check_namespace(element);
        if is_incomplete {
            let parts = [("rel", rel), ("hreflang", hreflang), ("href", href)];
            let missing: Vec<_> = parts
                .iter()
                .filter(|(_, value)| value.is_empty())
                .map(|(name, _)| *name)
                .collect();
            cx.missing_attributes(element, &missing, Effect::ValueDropped);
            return true;
        }
        let (hreflang, href) = (
            element.source.text_of(hreflang),
            element.source.text_of(href),
        );
        if !is_language_tag(hreflang)
            && let Some(text) = ValueText::of_attribute(element, "hreflang")
        {
            cx.note_value(Rule::InvalidLanguage, text);
        }
        let href = plain_url(href).ok().or_else(|| {
            let text = ValueText::of_attribute(element, "href")?;
            cx.web_url(text)
        });
        alternates.extend(href.map(|href| Self::new(hreflang, href)));
        true
    }

    /// Writes the alternate as `xhtml:link`.
    #[inline]
    pub(crate) fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let hreflang = self.hreflang.as_str();
        if hreflang.is_empty() {
            return Err(Violation::new(Rule::MissingAttribute, "hreflang"));
        }
        if !is_language_tag(hreflang) {
            return Err(Violation::new(Rule::InvalidLanguage, hreflang));
        }
        xml.start(tag!("xhtml:link"));
        xml.declare_for(Extension::Alternate)?;
        xml.attr(attr!("rel"), &Plain("alternate"))?;
        xml.attr(attr!("hreflang"), &Plain(hreflang))?;
        xml.attr(attr!("href"), &self.href)?;
        xml.end(tag!("xhtml:link"));
        Ok(())
    }

    pub(crate) fn collect_urls<'u>(&'u mut self, urls: &mut Vec<&'u mut Url>) {
        urls.push(&mut self.href);
    }
}

/// Returns `true` if a link with `rel="alternate"` is one that Google documents for mobile pages (it has `media`) or
/// for apps (its URL has another scheme, such as `android-app:`).
pub(super) fn is_of_another_kind<'a>(attribute: impl Fn(&'static str) -> Option<&'a str>) -> bool {
    let visible = |name| {
        attribute(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let is_elsewhere = || visible("href").is_some_and(has_other_scheme);
    visible("rel").is_some()
        && visible("hreflang").is_none()
        && (visible("media").is_some() || is_elsewhere())
}

/// Returns `true` if a text has the form of a BCP 47 language tag, or is `x-default`. Registries are not used.
pub(super) fn is_language_tag(text: &str) -> bool {
    let is_usual = match text.split_at_checked(2) {
        Some((language, rest)) if is_letters(language, 2..=2) => {
            rest.is_empty()
                || rest
                    .strip_prefix('-')
                    .is_some_and(|region| is_letters(region, 2..=2))
        }
        _ => false,
    };
    if is_usual {
        return true;
    }
    let mut parts = text.split('-').peekable();
    let Some(language) = parts.next() else {
        return false;
    };
    let is = |letter: &str, part: &str| part.eq_ignore_ascii_case(letter);
    if is("x", language) || is("i", language) {
        return is_private(parts);
    }
    if !is_letters(language, 2..=8) {
        return false;
    }
    if language.len() < 4 {
        for _ in 0..3 {
            skip(&mut parts, |extended| is_letters(extended, 3..=3));
        }
    }
    skip(&mut parts, |script| is_letters(script, 4..=4));
    skip(&mut parts, |region| {
        is_letters(region, 2..=2)
            || (region.len() == 3 && region.bytes().all(|b| b.is_ascii_digit()))
    });
    while let Some(part) = parts.next() {
        if is("x", part) {
            return is_private(parts);
        }
        let numbered = part.as_bytes().first().is_some_and(u8::is_ascii_digit);
        let fits = if part.len() == 1 {
            // An extension: its letter, then its parts.
            let mut has_parts = false;
            while skip(&mut parts, |part| is_word(part, 2..=8)) {
                has_parts = true;
            }
            is_word(part, 1..=1) && has_parts
        } else {
            is_word(part, if numbered { 4..=8 } else { 5..=8 })
        };
        if !fits {
            return false;
        }
    }
    true
}

type Subtags<'t> = Peekable<Split<'t, char>>;

/// Skips the next subtag if it is such a one.
fn skip(parts: &mut Subtags<'_>, is_it: fn(&str) -> bool) -> bool {
    parts.next_if(|part| is_it(part)).is_some()
}

fn is_private(mut parts: Subtags<'_>) -> bool {
    parts.peek().is_some() && parts.all(|part| is_word(part, 1..=8))
}

fn is_word(part: &str, len: RangeInclusive<usize>) -> bool {
    len.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn is_letters(part: &str, len: RangeInclusive<usize>) -> bool {
    len.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::is_language_tag;

    #[test]
    fn language_tags() {
        for tag in [
            "de",
            "DE",
            "de-ch",
            "zh-Hant-TW",
            "es-419",
            "sl-rozaj-biske",
            "de-1996",
            "gsw",
            "zh-yue-HK",
            "x-default",
            "en-u-ca-gregory",
            "i-klingon",
            "de-x-a",
            "sr-Latn",
            "az-Arab-x-AZE-derbend",
        ] {
            assert!(is_language_tag(tag), "{tag}");
        }
        for tag in [
            "",
            "d",
            "de_CH",
            "de-",
            "-de",
            "de--CH",
            "german language",
            "de-a",
            "de-x",
            "x",
            "de-CH-DE",
            "deutschland",
            "1a",
        ] {
            assert!(!is_language_tag(tag), "{tag}");
        }
    }
}
