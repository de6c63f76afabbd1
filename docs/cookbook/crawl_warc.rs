use std::collections::HashMap;
use std::io::BufRead;

use quick_sitemap::crawl::{Crawl, Failure, Response, Summary};
use quick_sitemap::url::Url;
use warc::{Error, RecordType, WarcHeader, WarcReader};

/// The responses of an archive by their URLs: the head and the body of HTTP, as they were received.
pub fn responses(archive: impl BufRead) -> Result<HashMap<String, Vec<u8>>, Error> {
    let mut responses = HashMap::new();
    for record in WarcReader::new(archive).iter_records() {
        let record = record?;
        if let (RecordType::Response, Some(url)) = (
            record.warc_type().clone(),
            record.header(WarcHeader::TargetURI),
        ) {
            responses.insert(
                url.trim_matches(['<', '>']).to_owned(),
                record.body().to_vec(),
            );
        }
    }
    Ok(responses)
}

/// Returns the pages of a site as it was when the archive was made.
pub fn crawl(site: &Url, responses: &HashMap<String, Vec<u8>>) -> (Vec<Url>, Summary) {
    let mut crawl = Crawl::site(site);
    let mut pages = Vec::new();
    while let Some(request) = crawl.next_request() {
        let Some((head, body)) = responses
            .get(request.url.as_str())
            .and_then(|bytes| parse(bytes))
        else {
            crawl.fail(
                request,
                Failure::status(404).with_message("not in the archive"),
            );
            continue;
        };
        let mut receiver = crawl.begin(request, head);
        for piece in body.chunks(64 << 10) {
            receiver.push(piece);
            let entries = receiver.entries().filter_map(Result::ok);
            pages.extend(entries.filter_map(|entry| Some(entry.into_url()?.loc)));
        }
        receiver.finish();
        let entries = receiver.entries().filter_map(Result::ok);
        pages.extend(entries.filter_map(|entry| Some(entry.into_url()?.loc)));
        crawl.end(receiver);
    }
    (pages, crawl.summary())
}

/// A body without `Transfer-Encoding`, as archives usually store it.
fn parse(bytes: &[u8]) -> Option<(Response, &[u8])> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut parsed = httparse::Response::new(&mut headers);
    let body = parsed
        .parse(bytes)
        .ok()
        .filter(|head| head.is_complete())?
        .unwrap();
    let header = |name: &str| {
        let header = parsed
            .headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(header.value).ok().map(str::to_owned)
    };
    let mut head = Response::new(parsed.code?);
    head.content_type = header("content-type");
    head.location = header("location");
    Some((head, bytes.get(body..)?))
}
