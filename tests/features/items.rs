//! The front page of the documentation.

use std::collections::BTreeSet;

/// The table *Items* has every public item of the root.
#[test]
fn the_table_of_items_is_complete() {
    let text = include_str!("../../src/lib.rs");
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let items: BTreeSet<&str> = text
        .split("\npub use ")
        .skip(1)
        .filter_map(|item| item.split(';').next())
        .flat_map(|item| item.rsplit("::").next().unwrap_or(item).split(','))
        .map(|name| name.trim_matches(|c: char| !is_name(c)))
        .filter(|name| name.starts_with(char::is_uppercase))
        .collect();
    let table = text.split("# Items").nth(1).unwrap();
    let table = table.split("\n//! #").next().unwrap();
    let named: BTreeSet<&str> = table.split(|c: char| !is_name(c)).collect();
    let missing: Vec<_> = items.difference(&named).collect();
    assert!(items.len() > 40 && missing.is_empty(), "{missing:?}");
}
