//! Reads all sitemaps of a site: from its robots.txt through indexes to pages.

use std::collections::{HashSet, VecDeque};
use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, ReaderBuilder, robots};

const HELP: &str = "\
Reads all sitemaps of a site, from its robots.txt (or /sitemap.xml) through indexes to pages, and prints the pages'
URLs, one a line, as they come. Nothing is held in memory but the URLs of the sitemaps.

Usage: crawl [OPTIONS] URL

Arguments:
  URL                the site, http://example.com; or one sitemap or index of it, http://example.com/news.xml

Options:
  --max-pages N      stop after so many pages [default: 1000000]
  --max-sitemaps N   fetch so many sitemaps at most [default: 1000]
  --max-depth N      indexes may list indexes, so many levels deep [default: 3]
  --other-hosts      also fetch sitemaps on other hosts
  --timeout SECONDS  for each response, to its end [default: 30]
  --help             this text

Only http is spoken: for https build with ureq's feature `rustls`. What goes wrong is said on standard error, and the
crawl goes on.

Exit status: 0 all was read, 1 something went wrong or a bound was reached, 2 no sitemap at all, or wrong usage.
";

fn main() -> ExitCode {
    let outcome = match options() {
        Ok(Some(options)) => run(&options),
        Ok(None) => io::stdout().write_all(HELP.as_bytes()).map(|()| 0),
        Err(error) => {
            let _ = writeln!(io::stderr(), "crawl: {error}; see --help");
            Ok(2)
        }
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        // Whoever was reading has seen enough: `crawl … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "crawl: cannot write: {error}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    start: Url,
    max_pages: u64,
    max_sitemaps: usize,
    max_depth: usize,
    other_hosts: bool,
    timeout: Duration,
}

impl Options {
    fn new(start: Url) -> Self {
        Self {
            start,
            max_pages: 1_000_000,
            max_sitemaps: 1_000,
            max_depth: 3,
            other_hosts: false,
            timeout: Duration::from_secs(30),
        }
    }
}

/// `None`: only help is wanted.
fn options() -> Result<Option<Options>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut start = None;
    let mut options = Options::new("http://localhost/".parse().map_err(|_| "no URL")?);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("max-pages") => options.max_pages = arguments.value()?.parse()?,
            Long("max-sitemaps") => options.max_sitemaps = arguments.value()?.parse()?,
            Long("max-depth") => options.max_depth = arguments.value()?.parse()?,
            Long("other-hosts") => options.other_hosts = true,
            Long("timeout") => options.timeout = Duration::from_secs(arguments.value()?.parse()?),
            Short('h') | Long("help") => return Ok(None),
            Value(url) if start.is_none() => start = Some(url.parse()?),
            _ => return Err(argument.unexpected()),
        }
    }
    options.start = start.ok_or("a URL is missing")?;
    Ok(Some(options))
}

/// The exit status; an error is one of the output's.
fn run(options: &Options) -> io::Result<u8> {
    // Drawn on standard error, if that is a terminal.
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} pages, {msg}") {
        bar.set_style(style);
    }
    let mut out = BufWriter::new(io::stdout());
    let mut crawl = Crawl::new(options);
    crawl.run(
        |page| {
            bar.inc(1);
            writeln!(out, "{page}")
        },
        |message| {
            bar.suspend(|| {
                let _ = writeln!(io::stderr(), "{message}");
            });
        },
        |sitemap| bar.set_message(sitemap.to_string()),
    )?;
    bar.finish_and_clear();
    out.flush()?;
    let _ = writeln!(
        io::stderr(),
        "{} pages in {} sitemaps",
        crawl.pages,
        crawl.read
    );
    Ok(crawl.status())
}

struct Crawl<'a> {
    options: &'a Options,
    agent: ureq::Agent,
    queue: VecDeque<(Url, usize)>,
    seen: HashSet<Url>,
    pages: u64,
    /// Sitemaps that were read to their end.
    read: u64,
    faults: u64,
}

impl<'a> Crawl<'a> {
    fn new(options: &'a Options) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(options.timeout))
            .user_agent("quick-sitemap-crawl/0.1")
            .build();
        Self {
            options,
            agent: config.into(),
            queue: VecDeque::new(),
            seen: HashSet::new(),
            pages: 0,
            read: 0,
            faults: 0,
        }
    }

    fn status(&self) -> u8 {
        match (self.read, self.faults) {
            (0, _) => 2,
            (_, 0) => 0,
            _ => 1,
        }
    }

    /// Calls `page` for every page, `fault` for what goes wrong, `begin` with each sitemap.
    /// The error is one of `page`.
    fn run(
        &mut self,
        mut page: impl FnMut(&Url) -> io::Result<()>,
        mut fault: impl FnMut(&str),
        mut begin: impl FnMut(&Url),
    ) -> io::Result<()> {
        let start = &self.options.start;
        if start.path() == "/" {
            self.ask_robots(start, &mut fault);
        } else {
            self.queue.push_back((start.clone(), 1));
        }
        while let Some((mut url, depth)) = self.queue.pop_front() {
            url.set_fragment(None);
            // Indexes may list each other, or themselves.
            if self.seen.contains(&url) {
                continue;
            }
            if self.seen.len() == self.options.max_sitemaps {
                self.faults += 1;
                fault("more sitemaps than --max-sitemaps");
                return Ok(());
            }
            self.seen.insert(url.clone());
            begin(&url);
            if !self.sitemap(&url, depth, &mut page, &mut fault)? {
                self.faults += 1;
                fault("more pages than --max-pages");
                return Ok(());
            }
        }
        Ok(())
    }

    /// Queues the sitemaps that robots.txt names; where it names none, the usual place.
    fn ask_robots(&mut self, home: &Url, fault: &mut dyn FnMut(&str)) {
        let at = |path: &str| {
            let mut url = home.clone();
            url.set_path(path);
            url
        };
        let url = at("robots.txt");
        let mut text = Vec::new();
        match self.fetch(&url) {
            // What stands beyond 500 KiB search engines ignore, too.
            Ok(body) => {
                if let Err(error) = body.take(500 << 10).read_to_end(&mut text) {
                    self.faults += 1;
                    fault(&format!("{url}: {error}"));
                }
            }
            Err(error) => fault(&format!("{url}: {error}; trying /sitemap.xml")),
        }
        self.queue
            .extend(robots::sitemaps(&text, Some(&url)).map(|url| (url, 1)));
        if self.queue.is_empty() {
            self.queue.push_back((at("sitemap.xml"), 1));
        }
    }

    fn fetch(&self, url: &Url) -> Result<impl Read + use<>, ureq::Error> {
        Ok(self
            .agent
            .get(url.as_str())
            .call()?
            .into_body()
            .into_reader())
    }

    /// Reads one sitemap. `false`: no more pages are wanted.
    fn sitemap(
        &mut self,
        url: &Url,
        depth: usize,
        page: &mut dyn FnMut(&Url) -> io::Result<()>,
        fault: &mut dyn FnMut(&str),
    ) -> io::Result<bool> {
        let body = match self.fetch(url) {
            Ok(body) => body,
            Err(error) => {
                self.faults += 1;
                fault(&format!("{url}: {error}"));
                return Ok(true);
            }
        };
        let reader = ReaderBuilder::new().location(url.clone()).build(body);
        for outcome in reader.outcomes() {
            for issue in &outcome.issues {
                fault(&format!("{url}:{issue}"));
            }
            match outcome.entry {
                Ok(None) => {}
                Ok(Some(Entry::Url(entry))) => {
                    if self.pages == self.options.max_pages {
                        return Ok(false);
                    }
                    self.pages += 1;
                    page(&entry.loc)?;
                }
                Ok(Some(Entry::Sitemap(entry))) => {
                    if let Err(reason) = self.enqueue(entry.loc, depth) {
                        self.faults += 1;
                        fault(&format!("{url}: {reason}"));
                    }
                }
                Err(error) => {
                    self.faults += 1;
                    fault(&format!("{url}:{error:#}"));
                    // A response that timed out is not asked again, though the reader would.
                    return Ok(true);
                }
            }
        }
        self.read += 1;
        Ok(true)
    }

    fn enqueue(&mut self, sitemap: Url, depth: usize) -> Result<(), String> {
        if depth == self.options.max_depth {
            return Err(format!("{sitemap} lies deeper than --max-depth"));
        }
        if sitemap.host() != self.options.start.host() && !self.options.other_hosts {
            return Err(format!("{sitemap} is on another host"));
        }
        self.queue.push_back((sitemap, depth + 1));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::io::{BufRead, BufReader};
    use std::net::{TcpListener, TcpStream};

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    /// A site on the loopback device; gone with the test's process.
    fn serve(site: impl Fn(&str) -> HashMap<&'static str, Vec<u8>>) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let home = format!("http://{}/", listener.local_addr().unwrap());
        let site = site(&home);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                // A crawler that has seen enough hangs up; that is no reason to stop serving.
                let _hung_up = answer(stream.unwrap(), &site);
            }
        });
        home.parse().unwrap()
    }

    fn answer(mut stream: TcpStream, site: &HashMap<&str, Vec<u8>>) -> io::Result<()> {
        let mut head = BufReader::new(&stream).lines();
        let request = head.next().unwrap_or_else(|| Ok(String::new()))?;
        for line in head.by_ref() {
            if line?.is_empty() {
                break;
            }
        }
        drop(head);
        let path = request.split(' ').nth(1).unwrap_or_default();
        let (status, body) = match site.get(path) {
            Some(body) => ("200 OK", body.as_slice()),
            None => ("404 Not Found", &b"nothing here"[..]),
        };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        )?;
        for chunk in body.chunks(100) {
            write!(stream, "{:x}\r\n", chunk.len())?;
            stream.write_all(chunk)?;
            write!(stream, "\r\n")?;
        }
        write!(stream, "0\r\n\r\n")
    }

    fn index(locs: &[String]) -> Vec<u8> {
        let mut writer = quick_sitemap::IndexWriter::new(Vec::new());
        for loc in locs {
            writer.write(&loc.as_str().try_into().unwrap()).unwrap();
        }
        writer.finish().unwrap()
    }

    fn gzipped(count: usize) -> Vec<u8> {
        let mut writer =
            quick_sitemap::UrlsetWriter::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for number in 0..count {
            let loc = format!("http://127.0.0.1/page/{number}");
            writer.write(&loc.as_str().try_into().unwrap()).unwrap();
        }
        writer.finish().unwrap().finish().unwrap()
    }

    fn site(home: &str) -> HashMap<&'static str, Vec<u8>> {
        let at = |path: &str| format!("{home}{path}");
        HashMap::from([
            ("/robots.txt", b"User-agent: *\nSitemap: /index.xml\n".to_vec()),
            (
                "/index.xml",
                index(&[at("index.xml"), at("a.xml.gz"), at("deeper.xml"), at("lost.xml"), "http://example.com/x.xml".into()]),
            ),
            ("/deeper.xml", index(&[at("index.xml"), at("b.txt"), at("cut.xml")])),
            ("/a.xml.gz", gzipped(5_000)),
            ("/b.txt", format!("{home}1\n{home}2\n").into_bytes()),
            (
                "/cut.xml",
                format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{home}3</loc></url><url>").into(),
            ),
        ])
    }

    fn crawl(options: &Options) -> (Vec<Url>, Vec<String>, u8) {
        let (mut pages, mut faults) = (Vec::new(), Vec::new());
        let mut crawl = Crawl::new(options);
        crawl
            .run(
                |page| {
                    pages.push(page.clone());
                    Ok(())
                },
                |fault| faults.push(fault.to_owned()),
                |_| {},
            )
            .unwrap();
        (pages, faults, crawl.status())
    }

    #[test]
    fn the_whole_tree_and_no_circles() {
        let home = serve(site);
        let (pages, faults, status) = crawl(&Options::new(home.clone()));
        assert_eq!(pages.len(), 5_003);
        assert_eq!(pages.last().unwrap().path(), "/3");
        let says = |text: &str| faults.iter().filter(|fault| fault.contains(text)).count();
        assert_eq!(says("/lost.xml: http status: 404"), 1, "{faults:?}");
        assert_eq!(says("/cut.xml:1:"), 1);
        assert_eq!(says("the document is cut off"), 1);
        assert_eq!(
            says("/index.xml: http://example.com/x.xml is on another host"),
            1
        );
        // The sitemap is on a port of its own, the pages that it lists are on the usual one.
        assert_eq!(says("/a.xml.gz:"), 5_000);
        assert_eq!(status, 1);
    }

    #[test]
    fn budgets() {
        let home = serve(site);
        let mut options = Options::new(home.clone());
        options.max_pages = 10;
        assert_eq!(crawl(&options).0.len(), 10);
        let mut options = Options::new(home.clone());
        options.max_sitemaps = 1;
        assert_eq!(crawl(&options).0.len(), 0);
        let mut options = Options::new(home.clone());
        options.max_depth = 1;
        assert_eq!(crawl(&options).0.len(), 0);
        let only = Options::new(home.join("b.txt").unwrap());
        assert_eq!((crawl(&only).0.len(), crawl(&only).2), (2, 0));
        let nothing = Options::new(home.join("lost.xml").unwrap());
        assert_eq!(crawl(&nothing).2, 2);
    }
}
