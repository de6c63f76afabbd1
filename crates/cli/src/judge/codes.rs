//! Codes of languages, scripts and countries that exist.
//!
//! The lists are those of the registration authorities, as of 2026: ISO 639-1 (Library of Congress), ISO 15924 (Unicode
//! Consortium) and ISO 3166-1 alpha-2 (ISO).

use std::sync::LazyLock;

use crate::term::clipped::clipped;

/// Why a tag of hreflang is wrong: a code in it does not exist, or more follows than a language, a script and a country.
/// Text that does not have the form of a tag is for the rule `invalid-language`.
pub(crate) fn unknown_code(tag: &str) -> Option<String> {
    let is_tag = |character: u8| character.is_ascii_alphanumeric() || character == b'-';
    let is_empty = tag.split('-').any(str::is_empty);
    if is_empty || tag.eq_ignore_ascii_case("x-default") || !tag.bytes().all(is_tag) {
        return None;
    }
    let mut codes = tag.split('-');
    let language = codes.next().and_then(unknown_language);
    let why = language.or_else(|| {
        let mut next = codes.next();
        if let Some(script) = next.filter(|code| is_script(code)) {
            if let Some(why) = unknown(&SCRIPTS, script, "script of ISO 15924", &[]) {
                return Some(why);
            }
            next = codes.next();
        }
        if let Some(country) = next.filter(|code| matches!(code.len(), 2 | 3)) {
            if let Some(why) = unknown_country(country) {
                return Some(why);
            }
            next = codes.next();
        }
        next.map(|code| format!("`{}` is neither a script nor a country", clipped(code)))
    })?;
    Some(if tag.contains('-') {
        format!("`{}`: {why}", clipped(tag))
    } else {
        why
    })
}

/// Why a code is no language, if it is none.
pub(crate) fn unknown_language(code: &str) -> Option<String> {
    unknown(&LANGUAGES, code, "language of ISO 639-1", &LANGUAGES_MEANT)
}

/// Why a code is no country, if it is none.
pub(crate) fn unknown_country(code: &str) -> Option<String> {
    let kind = "country of ISO 3166-1 alpha-2";
    unknown(&COUNTRIES, code, kind, &COUNTRIES_MEANT)
}

fn unknown(codes: &Codes, code: &str, kind: &str, mistakes: &[&str]) -> Option<String> {
    fn lower(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().map(|byte| byte.to_ascii_lowercase())
    }
    let found = codes.binary_search_by(|known| lower(known).cmp(lower(code)));
    found.err().map(|_| {
        let mut mistakes = mistakes.iter().filter_map(|pair| pair.split_once('='));
        let meant = mistakes.find(|(wrong, _)| wrong.eq_ignore_ascii_case(code));
        let meant = meant.map_or(String::new(), |(_, meant)| format!(" (`{meant}`?)"));
        format!("`{}` is no {kind}{meant}", clipped(code))
    })
}

fn is_script(code: &str) -> bool {
    code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_alphabetic())
}

type Codes = LazyLock<Vec<&'static str>>;

static LANGUAGES: Codes = LazyLock::new(|| paragraph(0));
static SCRIPTS: Codes = LazyLock::new(|| paragraph(1));
static COUNTRIES: Codes = LazyLock::new(|| paragraph(2));
/// Frequent mistakes, each with the code that is meant: a country or an old code for a language, and countries.
static LANGUAGES_MEANT: Codes = LazyLock::new(|| paragraph(3));
static COUNTRIES_MEANT: Codes = LazyLock::new(|| paragraph(4));

/// The codes of a paragraph of the file, in which they are in order.
fn paragraph(number: usize) -> Vec<&'static str> {
    let mut all = include_str!("codes.txt").split("\n\n");
    let codes = all.nth(number).unwrap_or_default();
    codes.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_exist_or_not() {
        for tag in [
            "de",
            "DE",
            "de-CH",
            "de-ch",
            "zh-Hant",
            "zh-hant-TW",
            "x-default",
            "X-Default",
            "sr-Latn-RS",
            "",
            "en_GB",
            // Not a tag, so `invalid-language`.
            "en-",
            "-en",
        ] {
            assert_eq!(unknown_code(tag), None, "{tag}");
        }
        for (tag, message) in [
            (
                "en-UK",
                "`en-UK`: `UK` is no country of ISO 3166-1 alpha-2 (`GB`?)",
            ),
            ("jp", "`jp` is no language of ISO 639-1 (`ja`?)"),
            ("english", "`english` is no language of ISO 639-1"),
            (
                "XX-english",
                "`XX-english`: `XX` is no language of ISO 639-1",
            ),
            ("en-EU", "`en-EU`: `EU` is no country of ISO 3166-1 alpha-2"),
            (
                "de-DEU",
                "`de-DEU`: `DEU` is no country of ISO 3166-1 alpha-2",
            ),
            (
                "es-419",
                "`es-419`: `419` is no country of ISO 3166-1 alpha-2",
            ),
            ("zh-Simp", "`zh-Simp`: `Simp` is no script of ISO 15924"),
            (
                "de-1996",
                "`de-1996`: `1996` is neither a script nor a country",
            ),
            (
                "ca-ES-valencia",
                "`ca-ES-valencia`: `valencia` is neither a script nor a country",
            ),
            (
                "de-Latn-DE-1996",
                "`de-Latn-DE-1996`: `1996` is neither a script nor a country",
            ),
            (
                "en-x-foo",
                "`en-x-foo`: `x` is neither a script nor a country",
            ),
        ] {
            assert_eq!(unknown_code(tag).as_deref(), Some(message), "{tag}");
        }
        for (sorted, count) in [(&LANGUAGES, 184), (&SCRIPTS, 226), (&COUNTRIES, 249)] {
            assert!(sorted.is_sorted());
            assert_eq!(sorted.len(), count);
        }
    }
}
