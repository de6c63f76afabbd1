use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Clock, Crawl, CrawlSummary, Failure, Next, Response};

type Body<'a, R> = Take<&'a mut BufReader<R>>;

/// An archive that is not compressed, and where the response of each URL is in it.
pub struct Archive<R> {
    file: BufReader<R>,
    places: HashMap<String, (u64, u64)>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the headers of all records, and skips their bodies.
    pub fn open(file: R) -> io::Result<Self> {
        let (mut file, mut places) = (BufReader::new(file), HashMap::new());
        while let Some(first) = line(&mut file)? {
            if !first.starts_with("WARC/") {
                continue;
            }
            let (mut url, mut length, mut is_response) = (None, 0, false);
            while let Some(line) = line(&mut file)?.filter(|line| !line.is_empty()) {
                let (name, value) = line.split_once(':').unwrap_or((&line, ""));
                let value = value.trim();
                match name.to_ascii_lowercase().as_str() {
                    "warc-type" => is_response = value == "response",
                    "warc-target-uri" => url = Some(value.trim_matches(['<', '>']).to_owned()),
                    "content-length" => length = value.parse().map_err(io::Error::other)?,
                    _ => {}
                }
            }
            let begin = file.stream_position()?;
            if let (true, Some(url)) = (is_response, url) {
                places.insert(url, (begin, length));
            }
            file.seek(SeekFrom::Start(begin.saturating_add(length)))?;
        }
        Ok(Self { file, places })
    }

    /// The head of a response, and a reader of its body without `Transfer-Encoding`, as archives usually store it.
    fn response(&mut self, url: &Url) -> io::Result<Option<(Response, Body<'_, R>)>> {
        let Some((begin, length)) = self.places.get(url.as_str()) else {
            return Ok(None);
        };
        self.file.seek(SeekFrom::Start(*begin))?;
        let mut body = (&mut self.file).take(*length);
        let status = line(&mut body)?.unwrap_or_default();
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        let mut head = Response::new(status.unwrap_or_default());
        while let Some(line) = line(&mut body)?.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').unwrap_or_default();
            head = head.header(name, value.trim());
        }
        Ok(Some((head, body)))
    }
}

/// A line of a header, which has at most 64 KiB. `None` at the end.
fn line(file: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    file.take(64 << 10).read_until(b'\n', &mut line)?;
    let text = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
    Ok(Some(text).filter(|_| !line.is_empty()))
}

/// Crawls a site as it was when the archive was made, and calls `store` with each page.
pub fn crawl<R: Read + Seek>(
    mut crawl: Crawl,
    archive: &mut Archive<R>,
    mut store: impl FnMut(Url),
) -> io::Result<CrawlSummary> {
    let clock = Clock::new();
    // An archive never has to be waited for.
    while let Next::Fetch(request) = crawl.next(clock.now()) {
        let Some((head, body)) = archive.response(&request.url)? else {
            let missing = Failure::status(404).with_message("not in the archive");
            crawl.fail(request, missing);
            continue;
        };
        let mut receiver = crawl.begin(request, head);
        for page in receiver.pages(body) {
            store(page.loc);
        }
        crawl.end(receiver);
    }
    Ok(crawl.summary())
}
