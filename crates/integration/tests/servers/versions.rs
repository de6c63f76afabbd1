//! The versions that the cookbook names are those with which its programs are tested.

const COOKBOOKS: [&str; 2] = [
    include_str!("../../../../src/guide/cookbook.rs"),
    include_str!("../../../crawl/src/cookbook.rs"),
];
const MANIFEST: &str = include_str!("../../Cargo.toml");

#[test]
fn the_cookbooks_name_the_versions_that_are_tested() {
    for cookbook in COOKBOOKS {
        let mut blocks = cookbook.split("//! ```");
        let block = blocks.find(|text| text.starts_with("toml")).unwrap();
        assert!(block.lines().count() > 4, "{block}");
        for line in block.lines().skip(1) {
            let line = line.trim_start_matches("//! ");
            let (name, version) = line.split_once(" = ").unwrap();
            let version = version.split(',').next().unwrap();
            let version = version.trim_start_matches("{ version = ").trim();
            let of_name =
                |tested: &&str| tested.split_once(" = ").is_some_and(|(of, _)| of == name);
            let tested = MANIFEST.lines().find(of_name);
            assert!(
                tested.is_some_and(|tested| tested.contains(version)),
                "{line}: {tested:?}"
            );
        }
    }
}
