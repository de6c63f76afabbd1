//! URLs are assembled without being parsed if possible. The result must be the same.

#[path = "../../fuzz/src/checks/urls.rs"]
mod checks;

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// As real sites have them, and some that are seldom.
const REAL: &[&str] = &[
    "https://www.example.com/",
    "http://americanswan.com/home25323",
    "https://web3.bio/mademafia.eth",
    "https://lyric.vicharas.net/artist/%EB%A1%9C%EB%94%94/%EC%9C%A0%ED%9A%A8/",
    "https://kinhsach.github.io/tags/th%E1%BB%A7-nh%C3%A3n/",
    "https://www.ubonus365.com/coupons/106119101?key=%E8%87%AA%E5%8A%A9&amp;",
    "https://iland.ge/ka/products/accessories/headphones?page=35&from=&to=&key=",
    "http://www.youtube.com/v/n3gZPrDIdQ8?version=3&f=videos&app=youtube_gdata",
    "https://glitch.com/~dapper-dart",
    "http://localhost:4000/all/pardis/security",
    "http://hukumonline.dev/klinik/detail/lt4e0d/bolehkah-non-advokat?",
    "https://dib.ucsd.edu/special-events/industry-office-hours/index.html#gid=2048723329",
    "https://retype.com/tags/config/",
    "https://example.com/.well-known/security.txt",
    "https://example.com/...//..a/.%2e.",
    "https://example.com/a/%2e%2e/b/./c/../d",
    "https://example.com/it's?it's#it's",
    "https://example.com/a|b^c?a|b^c#a|b^c",
    "https://xn--exmple-cua.com/",
    "https://ex\u{e4}mple.com/\u{e9}t\u{e9}?\u{e9}t\u{e9}#\u{e9}t\u{e9}",
    "https://axn--b.x--y.example.com:8443/a",
    "https://user:password@example.com/",
    "https://127.0.0.1:80/",
    "https://[::1]:443/[a]?[b]#[c]",
    "https://example.com",
    "https://example.com?a=b",
    "HTTPS://Example.COM:443/A",
    "https://docs.parrotlinux.org/.",
    "https://website.org/BT Skin T50 Base.png",
    "https://example.com/a%zzb%",
    "https://example.com/#a#b",
];

/// Texts at the start and end of URL parts, and texts with special treatment somewhere.
const PIECES: &[&str] = &[
    "/",
    "//",
    "?",
    "#",
    ":",
    "@",
    ".",
    "..",
    "/.",
    "/..",
    "/./",
    "/../",
    "%",
    "%2",
    "%2e",
    "%2E",
    "%2f",
    "%zz",
    "%C3%A9",
    "-",
    "--",
    "xn--",
    "'",
    "\"",
    "<",
    ">",
    "`",
    "{",
    "|",
    "}",
    "^",
    "[",
    "]",
    "\\",
    " ",
    "&",
    ";",
    "=",
    "+",
    "~",
    "_",
    "!",
    "$",
    "*",
    "(",
    ")",
    ",",
    "a",
    "e",
    "Z",
    "0",
    "7",
    ":80",
    ":443",
    ":8080",
    ":08",
    ":65536",
    "0x7f",
    "127.1",
    "\u{e9}",
    "\u{ad}",
    "\u{3002}",
    "\u{ff0e}",
    "\u{7f}",
    "\u{a0}",
    "\t",
    "\n",
    "\u{1}",
    "http://",
    "https://",
    "abcdefghijklmnop",
    "%D0%B0%D0%B1%D0%B2%D0%B3%D0%B4%D0%B5",
];

#[derive(Debug, Clone)]
enum Change {
    Insert(Index, &'static str),
    Remove(Index, u8),
    Repeat(Index, u8),
    Splice(Index, &'static str, Index),
}

fn changed(url: &str, changes: &[Change]) -> String {
    let mut chars: Vec<char> = url.chars().collect();
    for change in changes {
        let places = chars.len() + 1;
        match change {
            Change::Insert(at, piece) => {
                let at = at.index(places);
                chars.splice(at..at, piece.chars());
            }
            Change::Remove(at, len) => {
                let at = at.index(places);
                chars.drain(at..(at + usize::from(*len)).min(places - 1));
            }
            Change::Repeat(at, len) => {
                let at = at.index(places);
                let end = (at + usize::from(*len)).min(places - 1);
                chars.splice(at..at, chars[at..end].to_vec());
            }
            Change::Splice(at, other, from) => {
                let other: Vec<char> = other.chars().collect();
                chars.truncate(at.index(places));
                chars.extend(&other[from.index(other.len())..]);
            }
        }
    }
    chars.into_iter().collect()
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), select(PIECES)).prop_map(|(at, piece)| Change::Insert(at, piece)),
        1 => (at(), 1..20_u8).prop_map(|(at, len)| Change::Remove(at, len)),
        1 => (at(), 1..20_u8).prop_map(|(at, len)| Change::Repeat(at, len)),
        1 => (at(), select(REAL), at()).prop_map(|(at, other, from)| Change::Splice(at, other, from)),
    ]
}

fn cases() -> u32 {
    let set = std::env::var("PROPTEST_CASES").ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(2_000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn nothing_differs_from_what_url_parses(
        url in select(REAL),
        changes in prop::collection::vec(change(), 0..5),
    ) {
        checks::url(changed(url, &changes).as_bytes());
    }
}

#[test]
fn real_urls() {
    for url in REAL {
        checks::url(url.as_bytes());
    }
}
