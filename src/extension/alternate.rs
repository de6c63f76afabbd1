//! The extension `xhtml:link`: a page in other languages.

use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::str::Split;

use url::Url;

use super::foreign::Attribute;
use super::visit::visited;
use crate::interpret::{Interpreter, ValueText};
use crate::raw::RawElement;
use crate::value::LanguageTag;
use crate::value::escape::Plain;
use crate::value::url::{has_other_scheme, plain_url};
use crate::violation::{Effect, Rule, Violation};
use crate::vocabulary::{Extension, Vocabulary};
use crate::xml::writer::{XmlWriter, attr};

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
    /// The other attributes of the link, such as `media`, `title` and `type`, in document order. A reader leaves out those that
    /// cannot be written again: those with a prefix that is not declared.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub attributes: Vec<Attribute>,
}

/// The attributes that each alternate has.
const NAMES: [&str; 3] = ["rel", "hreflang", "href"];

impl Alternate {
    /// Creates an alternate: the page at `href` is the one for `hreflang`.
    #[must_use]
    pub fn new(hreflang: impl Into<LanguageTag>, href: Url) -> Self {
        Self {
            hreflang: hreflang.into(),
            href,
            attributes: Vec::new(),
        }
    }

    /// Reads a link of the usual form without violations. `None` does not mean that the link is wrong:
    /// [`read`](Self::read) must be called.
    #[inline]
    pub(crate) fn read_usual(element: RawElement<'_>) -> Option<Self> {
        let (hreflang, href) = element.usual_link()?;
        // With white space around it, neither is of the usual form.
        if !is_language_tag(hreflang) {
            return None;
        }
        Some(Self {
            hreflang: hreflang.into(),
            href: plain_url(href)?,
            attributes: Vec::new(),
        })
    }

    /// Reads a link that is an alternate, and whose text is ignored. It is dropped without one of its attributes.
    pub(crate) fn read(
        _: Option<ValueText<'_>>,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) -> Option<Self> {
        let texts = NAMES.map(|name| ValueText::of_attribute(element, name));
        let [Some(_), Some(hreflang), Some(href)] = texts else {
            let missing = NAMES.into_iter().zip(texts);
            let missing = missing.filter(|(_, text)| text.is_none());
            let names: Vec<_> = missing.map(|(name, _)| name).collect();
            cx.missing_attributes(element, &names, Effect::ValueDropped);
            return None;
        };
        if !is_language_tag(hreflang.text) {
            cx.note_value(Rule::InvalidLanguage, hreflang);
        }
        let mut read = Self::new(hreflang.text, cx.web_url(href)?);
        read.attributes = Attribute::all_of(element, &NAMES);
        read.attributes.retain(is_writable);
        Some(read)
    }

    /// Writes the attributes.
    pub(crate) fn write_parts(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        let hreflang = self.hreflang.as_str();
        if hreflang.is_empty() {
            let missing = Violation::new(Rule::MissingAttribute, "hreflang");
            return Err(missing.owned_by(Extension::Alternate.element()));
        }
        if !is_language_tag(hreflang) {
            return Err(Violation::new(Rule::InvalidLanguage, hreflang));
        }
        xml.attr(attr!("rel"), &Plain("alternate"))?;
        xml.attr(attr!("hreflang"), &Plain(hreflang))?;
        xml.attr(attr!("href"), &self.href)?;
        if self.attributes.is_empty() {
            return Ok(());
        }
        let others = self.attributes.iter().map(Attribute::parts);
        xml.more_attributes(Extension::Alternate, &NAMES, others)
    }
}

/// Returns `true` if an attribute of a link can be written again.
fn is_writable(attribute: &Attribute) -> bool {
    let (name, uri, _) = attribute.parts();
    let is_declared = !name.contains(':') || !uri.is_empty();
    // Bytes that are not in the encoding.
    is_declared && !name.contains('\u{FFFF}')
}

visited!(Alternate: hreflang, href, attributes);

impl Extension {
    /// The extension that reads an element of this vocabulary and local name, which has the attributes that are returned
    /// by name. `None` if the element is foreign.
    pub(crate) fn of<'a>(
        vocabulary: Vocabulary,
        local: &str,
        attribute: impl Fn(&'static str) -> Option<&'a str>,
    ) -> Option<Self> {
        let extension = vocabulary.extension(local)?;
        (extension != Self::Alternate || is_alternate(attribute)).then_some(extension)
    }
}

/// Returns `true` if a link can be meant as an alternate. Links of other kinds (amphtml, canonical) are foreign. So are those
/// without a language that Google documents for mobile pages (they have `media`) or for apps (their URL has another scheme,
/// such as `android-app:`).
fn is_alternate<'a>(attribute: impl Fn(&'static str) -> Option<&'a str>) -> bool {
    let visible = |name| {
        attribute(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let is_elsewhere = || visible("href").is_some_and(has_other_scheme);
    attribute("rel").is_none_or(|rel| {
        rel.trim().eq_ignore_ascii_case("alternate")
            && (visible("hreflang").is_some() || (visible("media").is_none() && !is_elsewhere()))
    })
}

/// Returns `true` if a text has the form of a BCP 47 language tag, or is `x-default`. Registries are not used.
fn is_language_tag(text: &str) -> bool {
    let is_usual = match *text.as_bytes() {
        [a, b] => [a, b].iter().all(u8::is_ascii_alphabetic),
        [a, b, b'-', c, d] => [a, b, c, d].iter().all(u8::is_ascii_alphabetic),
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
            "de-1H",
            "de-CH-DE",
            "deutschland",
            "1a",
        ] {
            assert!(!is_language_tag(tag), "{tag}");
        }
    }
}
