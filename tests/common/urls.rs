//! Two `Url`s that must agree in all their properties and after all their methods.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use quick_sitemap::url::{Position, Url};

/// Every place that a slice of a `Url` can begin or end at, in order.
const POSITIONS: [Position; 16] = [
    Position::BeforeScheme,
    Position::AfterScheme,
    Position::BeforeUsername,
    Position::AfterUsername,
    Position::BeforePassword,
    Position::AfterPassword,
    Position::BeforeHost,
    Position::AfterHost,
    Position::BeforePort,
    Position::AfterPort,
    Position::BeforePath,
    Position::AfterPath,
    Position::BeforeQuery,
    Position::AfterQuery,
    Position::BeforeFragment,
    Position::AfterFragment,
];

const REFERENCES: [&str; 10] = [
    "",
    "a",
    "./b/",
    "../c",
    "/d?e#f",
    "?g",
    "#h",
    "//other.example/i",
    "http:j",
    "mailto:k@l",
];

/// Every method that changes a `Url`.
const CHANGES: [fn(&mut Url); 18] = [
    |url| url.set_fragment(None),
    |url| url.set_fragment(Some("a b")),
    |url| url.set_query(None),
    |url| url.set_query(Some("a='b'&\u{e9}")),
    |url| url.set_path(""),
    |url| url.set_path("/x/../y z"),
    |url| _ = url.set_port(None),
    |url| _ = url.set_port(Some(8080)),
    |url| _ = url.set_host(Some("Other.example")),
    |url| _ = url.set_host(Some("[::1]")),
    |url| _ = url.set_ip_host([127, 0, 0, 1].into()),
    |url| _ = url.set_username("me"),
    |url| _ = url.set_password(Some("secret")),
    |url| _ = url.set_scheme("http"),
    |url| _ = url.set_scheme("https"),
    |url| {
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("..");
        }
    },
    |url| {
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.clear().extend(["a", "b"]);
        }
    },
    |url| _ = url.query_pairs_mut().append_pair("c", "d e"),
];

/// Panics where the two differ.
pub fn same(found: &Url, expected: &Url) {
    assert_eq!(found.as_str(), expected.as_str());
    looks_the_same(found, expected);
    assert!(found == expected && found.cmp(expected).is_eq(), "{found}");
    let hash = |url: &Url| {
        let mut hasher = DefaultHasher::new();
        url.hash(&mut hasher);
        hasher.finish()
    };
    assert_eq!(hash(found), hash(expected), "{found}");
    for reference in REFERENCES {
        match (found.join(reference), expected.join(reference)) {
            (Ok(found), Ok(expected)) => looks_the_same(&found, &expected),
            (found, expected) => assert_eq!(found, expected, "{reference}"),
        }
    }
    let mut all = (found.clone(), expected.clone());
    for change in CHANGES {
        let mut one = (found.clone(), expected.clone());
        change(&mut one.0);
        change(&mut one.1);
        looks_the_same(&one.0, &one.1);
        // One change after another, too.
        change(&mut all.0);
        change(&mut all.1);
        looks_the_same(&all.0, &all.1);
        assert_eq!(one.0.cmp(found), one.1.cmp(expected), "{found}");
        assert_eq!(expected.make_relative(&one.0), found.make_relative(&one.1));
    }
}

fn looks_the_same(found: &Url, expected: &Url) {
    // Its fields, by its accessors.
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    assert_eq!(found.as_str(), expected.as_str());
    // If there is a user without a password, `url` itself panics when the position of the password is requested.
    let asks_in_vain = !expected.username().is_empty() && expected.password().is_none();
    let is_known = |position: &Position| {
        !asks_in_vain || !matches!(position, Position::BeforePassword | Position::AfterPassword)
    };
    let positions: Vec<_> = POSITIONS.into_iter().filter(is_known).collect();
    for (at, &from) in positions.iter().enumerate() {
        for &to in positions.iter().skip(at) {
            assert_eq!(found[from..to], expected[from..to], "{found}");
        }
        assert_eq!(found[from..], expected[from..], "{found}");
        assert_eq!(found[..from], expected[..from], "{found}");
    }
    assert_eq!(found.authority(), expected.authority());
    assert_eq!(found.domain(), expected.domain());
    assert_eq!(found.has_host(), expected.has_host());
    let origin = |url: &Url| url.origin().ascii_serialization();
    assert_eq!(origin(found), origin(expected));
    assert_eq!(
        found.port_or_known_default(),
        expected.port_or_known_default()
    );
    assert!(
        found
            .path_segments()
            .into_iter()
            .flatten()
            .eq(expected.path_segments().into_iter().flatten())
    );
    assert!(found.query_pairs().eq(expected.query_pairs()), "{found}");
}
