//! Codes of languages, scripts and countries that exist.
//!
//! The lists are those of the registration authorities, as of 2026: ISO 639-1 (Library of Congress), ISO 15924 (Unicode
//! Consortium) and ISO 3166-1 alpha-2 (ISO).

use crate::term::clipped::clipped;

/// Frequent mistakes: a country or an old code for a language.
const LANGUAGES_MEANT: [(&str, &str); 12] = [
    ("cn", "zh"),
    ("cz", "cs"),
    ("dk", "da"),
    ("gr", "el"),
    ("in", "id"),
    ("iw", "he"),
    ("ji", "yi"),
    ("jp", "ja"),
    ("rs", "sr"),
    ("ua", "uk"),
    ("us", "en-US"),
    ("vn", "vi"),
];

const COUNTRIES_MEANT: [(&str, &str); 2] = [("UK", "GB"), ("EN", "GB")];

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
            if !SCRIPTS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(script))
            {
                return Some(no_code(script, "script of ISO 15924", &[]));
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
    let lower = code.to_ascii_lowercase();
    let is_known = LANGUAGES.binary_search(&&*lower).is_ok();
    (!is_known).then(|| no_code(code, "language of ISO 639-1", &LANGUAGES_MEANT))
}

/// Why a code is no country, if it is none.
pub(crate) fn unknown_country(code: &str) -> Option<String> {
    let upper = code.to_ascii_uppercase();
    let is_known = COUNTRIES.binary_search(&&*upper).is_ok();
    (!is_known).then(|| no_code(code, "country of ISO 3166-1 alpha-2", &COUNTRIES_MEANT))
}

fn is_script(code: &str) -> bool {
    code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn no_code(code: &str, kind: &str, mistakes: &[(&str, &str)]) -> String {
    let mut mistakes = mistakes.iter();
    let meant = mistakes.find(|(wrong, _)| wrong.eq_ignore_ascii_case(code));
    let meant = meant.map_or(String::new(), |(_, meant)| format!(" (`{meant}`?)"));
    format!("`{}` is no {kind}{meant}", clipped(code))
}

static LANGUAGES: [&str; 184] = [
    "aa", "ab", "ae", "af", "ak", "am", "an", "ar", "as", "av", "ay", "az", "ba", "be", "bg", "bi",
    "bm", "bn", "bo", "br", "bs", "ca", "ce", "ch", "co", "cr", "cs", "cu", "cv", "cy", "da", "de",
    "dv", "dz", "ee", "el", "en", "eo", "es", "et", "eu", "fa", "ff", "fi", "fj", "fo", "fr", "fy",
    "ga", "gd", "gl", "gn", "gu", "gv", "ha", "he", "hi", "ho", "hr", "ht", "hu", "hy", "hz", "ia",
    "id", "ie", "ig", "ii", "ik", "io", "is", "it", "iu", "ja", "jv", "ka", "kg", "ki", "kj", "kk",
    "kl", "km", "kn", "ko", "kr", "ks", "ku", "kv", "kw", "ky", "la", "lb", "lg", "li", "ln", "lo",
    "lt", "lu", "lv", "mg", "mh", "mi", "mk", "ml", "mn", "mr", "ms", "mt", "my", "na", "nb", "nd",
    "ne", "ng", "nl", "nn", "no", "nr", "nv", "ny", "oc", "oj", "om", "or", "os", "pa", "pi", "pl",
    "ps", "pt", "qu", "rm", "rn", "ro", "ru", "rw", "sa", "sc", "sd", "se", "sg", "sh", "si", "sk",
    "sl", "sm", "sn", "so", "sq", "sr", "ss", "st", "su", "sv", "sw", "ta", "te", "tg", "th", "ti",
    "tk", "tl", "tn", "to", "tr", "ts", "tt", "tw", "ty", "ug", "uk", "ur", "uz", "ve", "vi", "vo",
    "wa", "wo", "xh", "yi", "yo", "za", "zh", "zu",
];

static SCRIPTS: [&str; 226] = [
    "Adlm", "Afak", "Aghb", "Ahom", "Arab", "Aran", "Armi", "Armn", "Avst", "Bali", "Bamu", "Bass",
    "Batk", "Beng", "Berf", "Bhks", "Blis", "Bopo", "Brah", "Brai", "Bugi", "Buhd", "Cakm", "Cans",
    "Cari", "Cham", "Cher", "Chis", "Chrs", "Cirt", "Copt", "Cpmn", "Cprt", "Cyrl", "Cyrs", "Deva",
    "Diak", "Dogr", "Dsrt", "Dupl", "Egyd", "Egyh", "Egyp", "Elba", "Elym", "Ethi", "Gara", "Geok",
    "Geor", "Glag", "Gong", "Gonm", "Goth", "Gran", "Grek", "Gujr", "Gukh", "Guru", "Hanb", "Hang",
    "Hani", "Hano", "Hans", "Hant", "Hatr", "Hebr", "Hira", "Hluw", "Hmng", "Hmnp", "Hntl", "Hrkt",
    "Hung", "Inds", "Ital", "Jamo", "Java", "Jpan", "Jurc", "Kali", "Kana", "Kawi", "Khar", "Khmr",
    "Khoj", "Kitl", "Kits", "Knda", "Kore", "Kpel", "Krai", "Kthi", "Lana", "Laoo", "Latf", "Latg",
    "Latn", "Leke", "Lepc", "Limb", "Lina", "Linb", "Lisu", "Loma", "Lyci", "Lydi", "Mahj", "Maka",
    "Mand", "Mani", "Marc", "Maya", "Medf", "Mend", "Merc", "Mero", "Mlym", "Modi", "Mong", "Moon",
    "Mroo", "Mtei", "Mult", "Mymr", "Nagm", "Nand", "Narb", "Nbat", "Newa", "Nkdb", "Nkgb", "Nkoo",
    "Nshu", "Ogam", "Olck", "Onao", "Orkh", "Orya", "Osge", "Osma", "Ougr", "Palm", "Pauc", "Pcun",
    "Pelm", "Perm", "Phag", "Phli", "Phlp", "Phlv", "Phnx", "Piqd", "Plrd", "Prti", "Psin", "Qaaa",
    "Qabx", "Ranj", "Rjng", "Rohg", "Roro", "Runr", "Samr", "Sara", "Sarb", "Saur", "Seal", "Sgnw",
    "Shaw", "Shrd", "Shui", "Sidd", "Sidt", "Sind", "Sinh", "Sogd", "Sogo", "Sora", "Soyo", "Sund",
    "Sunu", "Sylo", "Syrc", "Syre", "Syrj", "Syrn", "Tagb", "Takr", "Tale", "Talu", "Taml", "Tang",
    "Tavt", "Tayo", "Telu", "Teng", "Tfng", "Tglg", "Thaa", "Thai", "Tibt", "Tirh", "Tnsa", "Todr",
    "Tols", "Toto", "Tutg", "Ugar", "Vaii", "Visp", "Vith", "Wara", "Wcho", "Wole", "Xpeo", "Xsux",
    "Yezi", "Yiii", "Zanb", "Zinh", "Zmth", "Zsye", "Zsym", "Zxxx", "Zyyy", "Zzzz",
];

static COUNTRIES: [&str; 249] = [
    "AD", "AE", "AF", "AG", "AI", "AL", "AM", "AO", "AQ", "AR", "AS", "AT", "AU", "AW", "AX", "AZ",
    "BA", "BB", "BD", "BE", "BF", "BG", "BH", "BI", "BJ", "BL", "BM", "BN", "BO", "BQ", "BR", "BS",
    "BT", "BV", "BW", "BY", "BZ", "CA", "CC", "CD", "CF", "CG", "CH", "CI", "CK", "CL", "CM", "CN",
    "CO", "CR", "CU", "CV", "CW", "CX", "CY", "CZ", "DE", "DJ", "DK", "DM", "DO", "DZ", "EC", "EE",
    "EG", "EH", "ER", "ES", "ET", "FI", "FJ", "FK", "FM", "FO", "FR", "GA", "GB", "GD", "GE", "GF",
    "GG", "GH", "GI", "GL", "GM", "GN", "GP", "GQ", "GR", "GS", "GT", "GU", "GW", "GY", "HK", "HM",
    "HN", "HR", "HT", "HU", "ID", "IE", "IL", "IM", "IN", "IO", "IQ", "IR", "IS", "IT", "JE", "JM",
    "JO", "JP", "KE", "KG", "KH", "KI", "KM", "KN", "KP", "KR", "KW", "KY", "KZ", "LA", "LB", "LC",
    "LI", "LK", "LR", "LS", "LT", "LU", "LV", "LY", "MA", "MC", "MD", "ME", "MF", "MG", "MH", "MK",
    "ML", "MM", "MN", "MO", "MP", "MQ", "MR", "MS", "MT", "MU", "MV", "MW", "MX", "MY", "MZ", "NA",
    "NC", "NE", "NF", "NG", "NI", "NL", "NO", "NP", "NR", "NU", "NZ", "OM", "PA", "PE", "PF", "PG",
    "PH", "PK", "PL", "PM", "PN", "PR", "PS", "PT", "PW", "PY", "QA", "RE", "RO", "RS", "RU", "RW",
    "SA", "SB", "SC", "SD", "SE", "SG", "SH", "SI", "SJ", "SK", "SL", "SM", "SN", "SO", "SR", "SS",
    "ST", "SV", "SX", "SY", "SZ", "TC", "TD", "TF", "TG", "TH", "TJ", "TK", "TL", "TM", "TN", "TO",
    "TR", "TT", "TV", "TW", "TZ", "UA", "UG", "UM", "US", "UY", "UZ", "VA", "VC", "VE", "VG", "VI",
    "VN", "VU", "WF", "WS", "YE", "YT", "ZA", "ZM", "ZW",
];
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
        for sorted in [&LANGUAGES[..], &SCRIPTS[..], &COUNTRIES[..]] {
            assert!(sorted.is_sorted());
        }
    }
}
