//! The table of extensions: each row is read, written, counted, cleared and listed wherever extensions are listed.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;

use quick_sitemap::{Entry, Extension, Namespace, Reader, UrlEntry, UrlsetWriter, WriterBuilder};

const FIXTURE: &str = "tests/data/extensions.xml";

/// The pages of the fixture that have this extension.
fn pages(extension: Extension) -> Vec<UrlEntry> {
    let mut reader = Reader::from_path(FIXTURE).unwrap();
    let mut pages = Vec::new();
    while let Some(entry) = reader.next() {
        assert!(reader.issues().is_empty(), "{:?}", reader.issues());
        let page = entry.unwrap().into_url().unwrap();
        assert!(page.foreign.is_empty(), "{:?}", page.foreign);
        if page.extensions().any(|(other, _)| other == extension) {
            pages.push(page);
        }
    }
    assert!(!pages.is_empty(), "{FIXTURE} has no page with {extension}");
    pages
}

fn written(page: &UrlEntry) -> String {
    let mut writer = UrlsetWriter::new(Vec::new());
    writer.write(page).unwrap();
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

#[test]
fn each_is_read_and_written() {
    for extension in Extension::ALL {
        for page in pages(*extension) {
            let text = written(&page);
            let declaration = format!(
                " xmlns:{}=\"{}\"",
                extension.prefix(),
                extension.namespace()
            );
            assert_eq!(text.matches(&declaration).count(), 1, "{text}");
            let again: Vec<_> = Reader::new(text.as_bytes()).map(Result::unwrap).collect();
            assert_eq!(again, [Entry::from(page)]);
        }
    }
}

#[test]
fn each_is_counted_and_cleared() {
    for extension in Extension::ALL {
        for mut page in pages(*extension) {
            let text = written(&page);
            let start = format!("<{}:", extension.prefix());
            assert!(text.contains(&start), "{text}");
            page.clear(*extension);
            assert!(page.extensions().all(|(other, _)| other != *extension));
            assert!(!written(&page).contains(&start));
        }
    }
    let page = UrlEntry::try_from("https://example.com/").unwrap();
    assert_eq!(page.extensions().count(), 0);
}

/// Counted by hand from the fixture.
#[test]
fn numbers_are_those_of_the_elements() {
    let numbers: Vec<Vec<_>> = Reader::from_path(FIXTURE)
        .unwrap()
        .map(|entry| entry.unwrap().into_url().unwrap().extensions().collect())
        .take(4)
        .collect();
    assert_eq!(
        numbers,
        [
            [(Extension::Alternate, 3)],
            [(Extension::Image, 2)],
            [(Extension::News, 1)],
            [(Extension::Video, 1)],
        ]
    );
}

/// A URL that `urls_mut` omits keeps its host.
#[test]
fn urls_mut_returns_every_url() {
    for extension in Extension::ALL {
        for mut page in pages(*extension) {
            for url in page.urls_mut() {
                url.set_host(Some("moved.invalid")).unwrap();
            }
            let text = written(&page);
            assert!(!text.contains("example.com"), "{text}");
            assert!(text.contains("moved.invalid"), "{text}");
        }
    }
}

#[test]
fn declare_all_declares_each() {
    let finish = |builder: WriterBuilder| {
        let xml = builder.urlset(Vec::new()).finish().unwrap();
        String::from_utf8(xml).unwrap()
    };
    let all = finish(WriterBuilder::new().declare_all());
    for extension in Extension::ALL {
        let one = finish(WriterBuilder::new().declare([*extension]));
        let named = Namespace::from(*extension);
        assert_eq!(
            (named.prefix(), named.uri()),
            (extension.prefix(), extension.namespace())
        );
        let declaration = format!(" xmlns:{}=\"{}\"", named.prefix(), named.uri());
        assert!(all.contains(&declaration), "{all}");
        assert!(one.contains(&declaration), "{one}");
    }
    assert_eq!(Namespace::from(Extension::News), Namespace::NEWS);
}

#[cfg(feature = "serde")]
#[test]
fn names_are_those_of_serde() {
    for extension in Extension::ALL {
        for mut page in pages(*extension) {
            let json = serde_json::to_value(&page).unwrap();
            assert!(json.get(extension.name()).is_some(), "{json}");
            assert_eq!(
                serde_json::from_value::<UrlEntry>(json).unwrap(),
                page,
                "{extension}"
            );
            page.clear(*extension);
            let json = serde_json::to_value(&page).unwrap();
            assert!(
                json.get(extension.name()).is_none(),
                "absent when empty: {json}"
            );
        }
    }
}

/// Places that no compiler connects with the table, and the text that each has for an extension. `{}` is its name.
const PLACES: [(&str, &str); 7] = [
    ("fuzz/src/checks/entries.rs", "page.{} = "),
    ("arrow/src/columns.rs", " {}: "),
    ("arrow/README.md", "`{}`"),
    ("python/src/page.rs", "fn {}<'py>("),
    ("python/src/page.rs", "set_item(\"{}\","),
    ("python/python/quick_sitemap/__init__.pyi", "    \"{}\",\n"),
    ("python/python/quick_sitemap/__init__.pyi", "def {}(self)"),
];

#[test]
fn every_list_of_extensions_has_each() {
    let mut missing = Vec::new();
    for (path, pattern) in PLACES {
        // The other packages are not a part of the published crate.
        let package = path.split('/').next().unwrap();
        if !Path::new(package).exists() {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        for extension in Extension::ALL {
            let wanted = pattern.replace("{}", extension.name());
            if !text.contains(&wanted) {
                missing.push(format!("{path} has no {wanted:?}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
