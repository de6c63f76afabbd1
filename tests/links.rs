//! Pages that are seen where only the package is, on a registry or in the documentation, link to what is there too.

#![allow(clippy::unwrap_used, clippy::panic)]
#![allow(missing_docs)]

const DOCS: &str = "https://docs.rs/quick-sitemap/latest/quick_sitemap/";

/// The targets of a page's links.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

#[test]
fn no_link_is_relative() {
    for (name, page) in [
        ("README.md", include_str!("../README.md")),
        ("DESIGN.md", include_str!("../DESIGN.md")),
        ("CHANGELOG.md", include_str!("../CHANGELOG.md")),
        ("benches/README.md", include_str!("../benches/README.md")),
    ] {
        for target in links(page) {
            let absolute = target.starts_with("https://") || target.starts_with("http://");
            assert!(absolute, "{name}: {target}");
        }
    }
}

/// They go by the names of modules, which rustdoc does not check here.
#[test]
fn links_to_the_documentation_name_modules() {
    let crate_modules = include_str!("../src/lib.rs");
    let guide_modules = include_str!("../src/guide.rs");
    let mut found = 0;
    for target in links(include_str!("../README.md")) {
        let Some(path) = target.strip_prefix(DOCS) else {
            continue;
        };
        found += 1;
        if let Some(anchor) = path.strip_prefix('#') {
            let mut headings = crate_modules
                .lines()
                .filter_map(|line| line.strip_prefix("//! # "));
            assert!(
                headings.any(|heading| heading.to_lowercase().replace(' ', "-") == anchor),
                "{target}"
            );
            continue;
        }
        let declared = match path.strip_prefix("guide/") {
            Some(page) => {
                let module = format!("pub mod {}", page.trim_matches('/'));
                let is_declared =
                    |line: &str| matches!(line.strip_prefix(&module), Some(";" | " {}"));
                guide_modules.lines().any(is_declared)
            }
            None => crate_modules.contains(&format!("pub mod {};", path.trim_matches('/'))),
        };
        assert!(declared && path.ends_with('/'), "{target}");
    }
    assert!(found > 0);
}
