#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::*;

#[test]
fn the_url_crate_is_as_expected() {
    for text in SAMPLES {
        let parts = Parts::of(text).expect(text);
        assert_eq!(fields::of(&Url::parse(text).unwrap()), Some(parts.fields()), "{text}");
        assert!(is_same(text), "{text}");
    }
}
