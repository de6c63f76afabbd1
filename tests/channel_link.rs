//! The page that a feed belongs to: read beside its items, and never in place of them.
#![allow(clippy::unwrap_used, clippy::string_slice, clippy::indexing_slicing)]

use quick_sitemap::{Decoder, Reader, ReaderBuilder};

/// The link, and the paths of the items; however the document is cut.
fn read(document: &str) -> (Option<String>, Vec<String>) {
    let base = "https://base.example/feed.xml".parse().unwrap();
    let builder = ReaderBuilder::new().base_url(base);
    let mut reader = builder.from_bytes(document);
    let path = |entry: quick_sitemap::Entry| entry.loc().path().to_owned();
    let items: Vec<String> = reader.by_ref().map(|entry| path(entry.unwrap())).collect();
    let link = reader.channel_link().map(String::from);

    let mut decoder = builder.decoder();
    let mut pushed = Vec::new();
    for byte in document.as_bytes() {
        decoder.push(&[*byte]);
        pushed.extend(decoder.entries().map(|entry| path(entry.unwrap())));
    }
    decoder.finish();
    pushed.extend(decoder.entries().map(|entry| path(entry.unwrap())));
    assert_eq!(pushed, items, "{document}");
    assert_eq!(decoder.channel_link().map(String::from), link, "{document}");
    (link, items)
}

fn rss(channel: &str) -> (Option<String>, Vec<String>) {
    read(&format!(
        "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel>{channel}\
         <item><link>https://base.example/1</link></item></channel></rss>"
    ))
}

fn atom(feed: &str) -> (Option<String>, Vec<String>) {
    read(&format!(
        "<feed xmlns='http://www.w3.org/2005/Atom'>{feed}\
         <entry><link href='https://base.example/1'/></entry></feed>"
    ))
}

#[test]
fn the_link_of_a_channel() {
    let link = Some("https://base.example/news?a=1&b=2".to_owned());
    for channel in [
        "<title>News</title><link>https://base.example/news?a=1&amp;b=2</link>",
        "<link>\n https://base.example/news?a=1&amp;b=2 </link>",
        "<link><![CDATA[https://base.example/news?a=1&b=2]]></link>",
        "<link>https://base.example/<!-- ! -->news?a=1&amp;b=2</link>",
        "<LINK>/news?a=1&amp;b=2</LINK>",
        "<atom:link rel='self' href='https://base.example/feed.xml'/><link>news?a=1&amp;b=2</link>",
        "<image><link>https://base.example/no</link></image><link>/news?a=1&amp;b=2</link>",
        "<link></link><link/><link> </link><link>/news?a=1&amp;b=2</link><link>/no</link>",
    ] {
        assert_eq!(
            rss(channel),
            (link.clone(), vec!["/1".to_owned()]),
            "{channel}"
        );
    }
    let long = format!("<link>https://base.example/{}</link>", "a".repeat(5_000));
    for channel in [
        "",
        "<link>mailto:a@base.example</link>",
        "<textInput><link>https://base.example/no</link></textInput>",
        "<atom:link href='https://base.example/feed.xml'/>",
        &long,
    ] {
        assert_eq!(rss(channel), (None, vec!["/1".to_owned()]), "{channel}");
    }
}

#[test]
fn the_link_of_a_feed() {
    let link = Some("https://base.example/news".to_owned());
    for feed in [
        "<link href='https://base.example/news'/>",
        "<link rel='self' href='/feed.xml'/><link rel='alternate' href='/news'/>",
        "<link rel=' Alternate ' href=' news '></link><link href='/no'/>",
        "<link href=''/><link href='/news'/>",
    ] {
        assert_eq!(atom(feed), (link.clone(), vec!["/1".to_owned()]), "{feed}");
    }
    for feed in [
        "",
        "<link rel='self' href='/feed.xml'/>",
        "<source><link href='/no'/></source>",
    ] {
        assert_eq!(atom(feed), (None, vec!["/1".to_owned()]), "{feed}");
    }
}

#[test]
fn what_is_no_feed_has_none() {
    let urlset = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><link>https://base.example/</link>\
        <url><loc>https://base.example/1</loc></url></urlset>";
    for document in [urlset, "https://base.example/1\n"] {
        assert_eq!(read(document), (None, vec!["/1".to_owned()]));
    }
    assert_eq!(Decoder::new().channel_link(), None);
}

/// A document that is cut off in the midst of the link does not have half of it.
#[test]
fn half_a_link_is_none() {
    let document = "<rss><channel><link>https://base.example/news</link>";
    for end in 0..document.len() - "</link>".len() + 1 {
        let mut reader = Reader::from_bytes(&document[..end]);
        assert!(reader.next().is_none_or(|entry| entry.is_err()));
        assert_eq!(reader.channel_link(), None, "{}", &document[..end]);
    }
}
