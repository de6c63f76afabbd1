//! The table of extensions: each row is read, written, counted, cleared, and contained in every list of extensions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use quick_sitemap::extension::Part;
use quick_sitemap::extension::foreign::Element;
use quick_sitemap::{
    Entry, Extension, Namespace, Reader, Rule, UrlEntry, UrlsetWriter, WriterBuilder,
};

use crate::every_part;
use crate::written;

/// The page with every part, with the values of this extension only.
fn sample(extension: Extension) -> UrlEntry {
    let mut page = every_part::page();
    let others = Extension::ALL.iter().filter(|other| **other != extension);
    others.for_each(|other| page.clear(*other));
    let found: Vec<_> = page.extensions().map(|(found, _)| found).collect();
    assert_eq!(found, [extension], "{}", every_part::PATH);
    page
}

fn written(page: &UrlEntry) -> String {
    let mut writer = UrlsetWriter::new(Vec::new());
    writer.write(page).unwrap();
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

#[test]
fn each_is_read_and_written() {
    for extension in Extension::ALL {
        let page = sample(*extension);
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

#[test]
fn each_is_counted_and_cleared() {
    for extension in Extension::ALL {
        let mut page = sample(*extension);
        let text = written(&page);
        let start = format!("<{}:", extension.prefix());
        let prefix = extension.prefix();
        let element = match extension {
            Extension::Alternate => "<xhtml:link ".to_owned(),
            _ => format!("</{prefix}:{prefix}>"),
        };
        let counted: Vec<_> = page.extensions().collect();
        assert_eq!(counted, [(*extension, text.matches(&element).count())]);
        page.clear(*extension);
        assert!(page.extensions().all(|(other, _)| other != *extension));
        assert!(!written(&page).contains(&start));
    }
    let page = UrlEntry::try_from("https://example.com/").unwrap();
    assert_eq!(page.extensions().count(), 0);
}

/// A URL that `urls_mut` omits keeps its host.
#[test]
fn urls_mut_returns_every_url() {
    for extension in Extension::ALL {
        let mut page = sample(*extension);
        for url in page.urls_mut() {
            url.set_host(Some("moved.invalid")).unwrap();
        }
        let text = written(&page);
        assert!(!text.contains("example.com/"), "{text}");
        assert!(!text.contains("example.org/"), "{text}");
        assert!(text.contains("moved.invalid"), "{text}");
    }
}

#[test]
fn all_or_one_can_be_declared() {
    let finish = |builder: WriterBuilder| {
        let xml = builder.urlset(Vec::new()).finish().unwrap();
        String::from_utf8(xml).unwrap()
    };
    let all = finish(WriterBuilder::new().declare(Extension::ALL.iter().copied()));
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
}

#[cfg(feature = "serde")]
#[test]
fn names_are_those_of_serde() {
    for extension in Extension::ALL {
        let mut page = sample(*extension);
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

/// Places that no compiler connects with the table, and the text that each has for an extension. `{}` is its name.
const PLACES: [(&str, &str); 8] = [
    ("fuzz/src/checks/entries.rs", "page.{} = "),
    ("crates/arrow/src/columns.rs", " {}: "),
    ("crates/arrow/README.md", "`{}`"),
    ("crates/python/src/page.rs", "fn {}<'py>("),
    ("crates/python/python/_quick_sitemap/records.py", "    {}: "),
    (
        "crates/python/python/_quick_sitemap/_native.pyi",
        "def {}(self)",
    ),
    (
        "crates/python/python/_quick_sitemap/reading.py",
        "    \"{}\",\n",
    ),
    (
        "crates/python/python/_quick_sitemap/crawl.py",
        "    \"{}\",\n",
    ),
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

/// The fields of the extensions, and whether the page with every part has a value for each.
fn parts() -> BTreeMap<String, bool> {
    let mut parts = BTreeMap::new();
    every_part::page().visit(&mut |names, part| {
        let is_there = !matches!(part, Part::Absent | Part::List(0));
        *parts.entry(names.join(".")).or_default() |= is_there;
    });
    parts
}

/// So each is written, validated by the schemas and read back. The content of the other two has no fixed form.
#[test]
fn the_page_with_every_part_has_each() {
    let missing: Vec<_> = parts()
        .into_iter()
        .filter(|(_, is_there)| !is_there)
        .collect();
    let names: Vec<_> = missing.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["foreign", "videos.tvshow"]);
}

/// The page is what the writer makes of it: `WRITE_TABLES=1 cargo test --test writing extensions` brings it into this form.
#[test]
fn the_file_with_every_part_is_written_as_it_is() {
    let mut writer = WriterBuilder::new().indent(2).urlset(Vec::new());
    writer.write(&every_part::page()).unwrap();
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    written::compare(every_part::PATH, &text, "writing extensions");
}

/// The dataclasses of Python, by the field whose values they are.
const CLASSES: [(&str, &str); 8] = [
    ("alternates", "Alternate"),
    ("attributes", "Attribute"),
    ("images", "Image"),
    ("videos", "Video"),
    ("news", "News"),
    ("content_segments", "ContentSegment"),
    ("prices", "Price"),
    ("ids", "VideoId"),
];

/// The fields of each dataclass, as a line of it. A structure without a class is fields of the one that contains it.
fn python_fields() -> BTreeMap<(&'static str, String), String> {
    let class_of = |name: &str| CLASSES.iter().find(|(field, _)| *field == name);
    let (mut lists, mut fields) = (BTreeSet::new(), BTreeMap::new());
    every_part::page().visit(&mut |names, part| {
        let before = names.len().saturating_sub(1);
        let Some(at) = names[..before]
            .iter()
            .rposition(|name| class_of(name).is_some())
        else {
            return;
        };
        let kind = match part {
            Part::List(_) => {
                lists.insert(names.to_vec());
                return;
            }
            Part::Text(_) | Part::Url(_) => "str",
            Part::Date(_) => "datetime",
            Part::Decimal(_) => "float",
            Part::Integer(_) => "int",
            Part::Flag(_) => "bool",
            Part::Struct => match class_of(names[before]) {
                Some((_, class)) => class,
                None => return,
            },
            _ => return,
        };
        let path = &names[at + 1..];
        let name = path.iter().fold(String::new(), |parent, name| match *name {
            "kind" => "type".to_owned(),
            name if name.starts_with(&parent) => name.to_owned(),
            name => format!("{parent}_{name}"),
        });
        let value = match (lists.contains(names), path.len()) {
            (true, 1) => format!("list[{kind}] = field(default_factory=list)"),
            (true, _) => format!("list[{kind}] | None = None"),
            (false, _) => format!("{kind} | None = None"),
        };
        let class = class_of(names[at]).unwrap().1;
        fields.insert((class, name.clone()), format!("    {name}: {value}\n"));
    });
    fields
}

/// `WRITE_TABLES=1 cargo test --test writing extensions` adds those that are missing.
#[test]
fn the_dataclasses_of_python_have_every_part() {
    let path = "crates/python/python/_quick_sitemap/records.py";
    // The other packages are not a part of the published crate.
    let Ok(mut text) = fs::read_to_string(path) else {
        return;
    };
    let mut missing = Vec::new();
    for ((class, name), line) in python_fields() {
        let start = text.find(&format!("\nclass {class}:\n")).unwrap();
        let len = text[start..].find("\n\n\n").unwrap() + 1;
        if !text[start..start + len].contains(&format!("\n    {name}: ")) {
            missing.push(format!("{path}: {class} has no field {name}"));
            text.insert_str(start + len, &line);
        }
    }
    if std::env::var_os("WRITE_TABLES").is_some() {
        fs::write(path, text).unwrap();
    } else {
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}

/// Lists of the parts of an extension in which no compiler misses one: a file, a text before the list and one behind it.
const LISTS: [(&str, &str, &str, &str); 4] = [
    (
        "Image",
        "crates/python/python/_quick_sitemap/records.py",
        "class ImageDict",
        "\n\n\n",
    ),
    (
        "News",
        "crates/python/python/_quick_sitemap/records.py",
        "class NewsDict",
        "\n\n\n",
    ),
    ("Image", "crates/arrow/README.md", "\n| `images` |", "\n"),
    ("News", "crates/arrow/README.md", "\n| `news` |", "\n"),
];

#[test]
fn every_list_of_parts_has_each() {
    for (class, path, before, behind) in LISTS {
        // The other packages are not a part of the published crate.
        let Ok(text) = fs::read_to_string(path) else {
            return;
        };
        let (_, list) = text.split_once(before).unwrap();
        let (list, _) = list.split_once(behind).unwrap();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let names: Vec<_> = list.split(|c| !is_name(c)).collect();
        for ((_, name), _) in python_fields().iter().filter(|((of, _), _)| *of == class) {
            assert!(
                names.contains(&name.as_str()),
                "{path}: {} has no {name}",
                before.trim()
            );
        }
    }
}

/// `video:tvshow` is kept with its content, for every prefix and every accepted form of its namespace.
#[test]
fn a_series_is_carried_through() {
    for uri in [
        Extension::Video.namespace(),
        "https://www.google.com/schemas/sitemap-video/1.0",
    ] {
        let document = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:v=\"{uri}\">\
             <url><loc>https://example.com/</loc><v:video><v:title>A</v:title>\
             <v:thumbnail_loc>https://example.com/v.jpg</v:thumbnail_loc><v:description>B</v:description>\
             <v:content_loc>https://example.com/v.mp4</v:content_loc>\
             <v:tvshow>\n <v:show_title>C &amp; D</v:show_title>\n <x:y xmlns:x='urn:x' a='1'/></v:tvshow>\
             </v:video></url></urlset>"
        );
        let mut reader = Reader::new(document.as_bytes());
        let page = reader.next().unwrap().unwrap().into_url().unwrap();
        let issues = usize::from(uri != Extension::Video.namespace());
        assert_eq!(reader.issues().len(), issues, "{:?}", reader.issues());
        let show = page.videos[0].tvshow.as_ref().unwrap();
        assert_eq!(show.children.len(), 2);
        let xml = written(&page);
        assert!(
            xml.contains("<v:show_title>C &amp; D</v:show_title>"),
            "{xml}"
        );
        let mut reader = Reader::new(xml.as_bytes());
        let again = reader.next().unwrap().unwrap().into_url().unwrap();
        assert!(reader.issues().is_empty(), "{:?}", reader.issues());
        assert_eq!(again, page);
    }
    let mut page = sample(Extension::Video);
    page.videos[0].tvshow = Some(Element::new("show", Extension::Video.namespace()));
    let refused = UrlsetWriter::new(Vec::new()).write(&page).unwrap_err();
    assert_eq!(refused.violation().unwrap().rule(), Rule::UnknownElement);
}

/// A text of a foreign element is read back as it was written, or is rejected.
#[test]
fn texts_of_foreign_elements_are_kept_or_rejected() {
    use quick_sitemap::extension::foreign::Node;
    let text = |text: &str| Node::Text(text.to_owned());
    let child = || Node::Element(Element::new("b", "urn:x").with_prefix("x"));
    let home = UrlEntry::try_from("https://example.com/").unwrap();
    let page = |children: &[Node]| {
        let mut element = Element::new("a", "urn:x").with_prefix("x");
        element.children = children.to_vec();
        home.clone().with_foreign(element)
    };
    for (rule, children) in [
        (Rule::InvalidCharacter, vec![text(" t")]),
        (Rule::InvalidCharacter, vec![text("t\u{a0}")]),
        (Rule::InvalidCharacter, vec![text(" ")]),
        (Rule::InvalidCharacter, vec![text("t"), text("t ")]),
        (Rule::MissingElement, vec![text("")]),
        (Rule::MissingElement, vec![child(), text("")]),
    ] {
        let mut writer = UrlsetWriter::new(Vec::new());
        let error = writer.write(&page(&children)).unwrap_err();
        assert_eq!(error.violation().unwrap().rule(), rule, "{children:?}");
        assert_eq!(writer.entries(), 0);
    }
    for children in [
        vec![text("t")],
        vec![text("t  t")],
        vec![text(" "), child(), text(" t ")],
        vec![child(), text("\n")],
    ] {
        let page = page(&children);
        let text = written(&page);
        let again: Vec<_> = Reader::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(again, [Entry::from(page)], "{text}");
    }
}
