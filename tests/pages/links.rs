//! Pages of the documentation link to what is there too, and README.md to files of the repository.

use std::fs;
use std::path::Path;

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
        (
            "docs/cheatsheet.md",
            include_str!("../../docs/cheatsheet.md"),
        ),
        ("DESIGN.md", include_str!("../../DESIGN.md")),
        ("CHANGELOG.md", include_str!("../../CHANGELOG.md")),
        ("benches/README.md", include_str!("../../benches/README.md")),
    ] {
        for target in links(page) {
            let absolute = target.starts_with("https://") || target.starts_with("http://");
            assert!(absolute, "{name}: {target}");
        }
    }
}

/// There is no documentation on docs.rs before the first release.
#[test]
fn links_of_the_readme_lead_to_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = 0;
    for target in links(include_str!("../../README.md")) {
        found += 1;
        assert!(!target.starts_with("https://docs.rs/"), "{target}");
        if target.starts_with("https://") {
            continue;
        }
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        assert!(root.join(file).exists(), "{target}");
        if !heading.is_empty() {
            let text = fs::read_to_string(root.join(file)).unwrap();
            let mut headings = text.lines().filter(|line| line.starts_with('#'));
            let anchor = |line: &str| line.trim_start_matches('#').trim().to_lowercase();
            assert!(
                headings.any(|line| anchor(line).replace(' ', "-") == heading),
                "{target}"
            );
        }
    }
    assert!(found > 0);
}

/// They go by the names of modules, which rustdoc does not check here.
#[test]
fn links_to_the_documentation_name_modules() {
    let crate_modules = include_str!("../../src/lib.rs");
    let guide_modules = include_str!("../../src/guide.rs");
    let mut found = 0;
    for target in links(include_str!("../../docs/cheatsheet.md")) {
        let Some(path) = target.strip_prefix(DOCS) else {
            continue;
        };
        found += 1;
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
