use proptest::prelude::*;
use url::Host;

use super::*;

/// Returns `true` if [`assemble`] must accept the text. This is decided by the result of `Url::parse`.
fn should_be_plain(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else {
        return false;
    };
    let is_usual = |host: &str| {
        !host.contains("xn--")
            && host.split('.').all(|label| !label.is_empty())
            && host.rsplit('.').next().is_some_and(is_no_number)
    };
    let (host, is_usual) = match url.host() {
        Some(Host::Domain(host)) => (host.to_owned(), is_usual(host)),
        Some(Host::Ipv4(address)) => (address.to_string(), true),
        _ => return false,
    };
    let rest = text.find("//").map_or("", |at| &text[at + 2..]);
    let rest = rest.find('/').map_or("", |at| &rest[at..]);
    let is_escaped = |at: usize| {
        let digits = rest.as_bytes().get(at + 1..at + 3).unwrap_or_default();
        digits.len() == 2 && digits.iter().all(u8::is_ascii_hexdigit)
    };
    url.as_str() == text
        && matches!(url.scheme(), "http" | "https")
        && url.authority() == host.clone() + &url.port().map_or("".into(), |port| format!(":{port}"))
        && host.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(&b))
        && is_usual
        // `Url` does not escape these, at least in some parts, but a sitemap must.
        && !rest.contains(['[', ']', '\\', '^', '`', '{', '|', '}'])
        && rest.matches('#').count() <= 1
        && rest.match_indices('%').all(|(at, _)| is_escaped(at))
}

/// Returns `true` if the first or the last character of a last label shows that the host is not an IPv4 address.
fn is_no_number(label: &str) -> bool {
    label.starts_with(|c: char| c.is_ascii_lowercase())
        || label.ends_with(|c: char| c.is_ascii_lowercase() && c != 'x' && !c.is_ascii_hexdigit())
}

fn is_plain(text: &str) -> bool {
    host_of_plain(text).is_some()
}

fn check(text: &str) {
    assert_eq!(is_plain(text), should_be_plain(text), "{text:?}");
    let (name, address) = (PlainUrl::<true>::of(text), PlainUrl::<false>::of(text));
    let are_those_of = |url: &Url| {
        name.map(|parts| parts.are_those_of(url))
            .or_else(|| address.map(|parts| parts.are_those_of(url)))
    };
    // With debug assertions, `url` rejects fields that do not fit.
    let Some(assembled) = assemble(text) else {
        assert!(!is_plain(text), "{text:?}");
        return;
    };
    let parsed = Url::parse(text).unwrap();
    assert_eq!(are_those_of(&parsed), Some(true), "{text:?}");
    assert_eq!(are_those_of(&assembled), Some(true), "{text:?}");
    assert_eq!(assembled, parsed);
    assert_eq!(assembled.host(), parsed.host());
}

#[test]
fn the_url_crate_is_as_expected() {
    for text in SAMPLES {
        assert!(is_plain(text));
        check(text);
        assert!(is_same::<true>(text) != is_same::<false>(text), "{text}");
    }
    assert!(is_as_expected());
    // A different result is detected.
    let mut parts = PlainUrl::<true>::of(SAMPLES[0]).unwrap();
    parts.path_start -= 1;
    assert!(!parts.are_those_of(&Url::parse(SAMPLES[0]).unwrap()));
    assert_eq!(
        parts.assemble(SAMPLES[0].to_owned()).is_err(),
        cfg!(debug_assertions)
    );
}

#[test]
fn plain_urls() {
    for text in [
        "http://a.b/",
        "https://example.com/",
        "https://example.com/a/b.html?c=d&e=f#g",
        "https://a--b.example/",
        "https://a.1h/",
        "https://1.2.3.4/",
        "http://127.0.0.1:8000/a?b#c",
        "http://0.0.0.0/",
        "http://255.255.255.255/",
        "https://example.com:8443/a",
        "http://example.com:443/",
        "https://example.com:0/",
        "https://example.com/%D0%B0%D0%B1/%2fa%2E",
        "https://example.com/.well-known/...",
        "https://example.com/a/?b=/../c",
        "https://example.com/it's#it's?",
        "https://example.com/?#",
    ] {
        assert!(is_plain(text), "{text}");
        check(text);
    }
}

#[test]
fn other_texts() {
    for text in [
        "",
        "https:",
        "https://",
        "https:///a",
        "https://example.com",
        "https://example.com?a",
        "https://example.com#a",
        "HTTPS://example.com/",
        "ftp://example.com/",
        "https:\\\\example.com\\",
        "https://Example.com/",
        "https://example.com./",
        "https://.example.com/",
        "https://a..b/",
        "https://1.2.3/",
        "https://1.2.3.4./",
        "https://1.2.3.4.5/",
        "https://01.2.3.4/",
        "https://0177.0.0.1/",
        "https://256.1.1.1/",
        "https://1.2.3.256/",
        "https://0x7f.1/",
        "https://2130706433/",
        "https://a.0x1/",
        "https://a.0x/",
        "https://a.0xe/",
        "https://a.1e/",
        "https://[::1]/",
        "https://xn--exmple-cua.com/",
        "https://a.xn--p1ai/",
        "https://b\u{fc}cher.example/",
        "https://ex%61mple.com/",
        "https://me@example.com/",
        "https://example.com:/",
        "https://example.com:443/",
        "http://example.com:80/",
        "https://example.com:0443/",
        "https://example.com:65536/",
        "https://example.com:999999999/",
        "https://example.com:8080",
        "https://example.com/.",
        "https://example.com/a/..",
        "https://example.com/./a",
        "https://example.com/a/%2e%2E/b",
        "https://example.com/a/.%2e?b",
        "https://example.com/a b",
        "https://example.com/\u{e9}",
        "https://example.com/a%2",
        "https://example.com/a%",
        "https://example.com/%zz",
        "https://example.com/?a%=b",
        "https://example.com/[a]",
        "https://example.com/a|b",
        "https://example.com/?a='b'",
        "https://example.com/#a#b",
        "https://example.com/ ",
        " https://example.com/",
    ] {
        assert!(!is_plain(text), "{text}");
        check(text);
    }
}

/// Each byte replaces another one and is inserted, at every position.
#[test]
fn every_byte_in_every_place() {
    for text in [
        "https://www.example.com/",
        "http://a.b:81/c/d",
        "http://10.2.34.156:81/",
        "https://www.example.com:8443/a/long/enough/path/for/a/few/blocks?and=a&query=which/is/long#and/a/fragment",
    ] {
        for at in 0..text.len() {
            for byte in 0..=0x7F_u8 {
                let (before, rest) = text.split_at(at);
                let byte = char::from(byte);
                check(&format!("{before}{byte}{}", &rest[1..]));
                check(&format!("{before}{byte}{rest}"));
            }
        }
    }
}

#[test]
fn one_allocation() {
    let text = "https://www.example.com/a/b?c=d#e";
    assert!(is_plain(text));
    let count = |run: fn(&str)| allocation_counter::measure(|| run(text)).count_total;
    assert_eq!(count(|text| assert!(is_plain(text))), 0);
    // Without `black_box`, the optimizer removes the unused URL.
    let allocations = count(|text| drop(std::hint::black_box(assemble(text).unwrap())));
    // With debug assertions, `url` parses the text once more.
    assert!(allocations == 1 || cfg!(debug_assertions), "{allocations}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn hosts(host in "[a-z0-9xn.-]{1,40}", port in "(:[0-9]{0,5})?") {
        check(&format!("https://{host}{port}/a"));
        check(&format!("http://{host}{port}/a"));
    }

    #[test]
    fn numbers(host in "(0x)?[0-9]{1,3}([.](0x)?[0-9a]{0,3}){0,4}[.]?", port in "(:[0-9]{0,5})?") {
        check(&format!("http://{host}{port}/a"));
    }

    #[test]
    fn addresses(address: [u8; 4]) {
        let text = format!("http://{}/", std::net::Ipv4Addr::from(address));
        prop_assert!(is_plain(&text));
        check(&text);
    }

    #[test]
    fn parts_of_any_length(
        path in "([a-z/.%2eE'-]|/[.]|%2e|%C3%A9){0,50}",
        query in "([?][a-z/.%2e'?-]{0,50})?",
        fragment in "(#[a-z/.%2e'?-]{0,50})?",
    ) {
        check(&format!("https://example.com/{path}{query}{fragment}"));
    }
}
