//! The versions that the cookbook names are those with which its programs are tested.

#![allow(clippy::unwrap_used, clippy::panic)]

const COOKBOOK: &str = include_str!("../../../src/guide/cookbook.rs");
const MANIFEST: &str = include_str!("../Cargo.toml");

#[test]
fn the_cookbook_names_the_versions_that_are_tested() {
    let block = COOKBOOK
        .split("//! ```")
        .find(|text| text.starts_with("toml"));
    let mut named = 0;
    for line in block.unwrap().lines().skip(1) {
        let line = line.trim_start_matches("//! ");
        let (name, version) = line.split_once(" = ").unwrap();
        let of_name = |tested: &&str| tested.split_once(" = ").is_some_and(|(of, _)| of == name);
        let tested = MANIFEST.lines().find(of_name);
        assert!(
            tested.is_some_and(|tested| tested.contains(version)),
            "{line}: {tested:?}"
        );
        named += 1;
    }
    assert_eq!(named, 11);
}
