//! A server on loopback, over http or https, of the site that a test gives it. A response can be cut, reset, slow or endless.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

/// A request.
#[derive(Clone)]
pub struct Asked {
    /// `GET`, or `HEAD`, which gets no body.
    pub method: String,
    /// With its query.
    pub path: String,
    pub headers: HashMap<String, String>,
    /// Number of earlier requests for this path.
    pub before: usize,
    pub at: Instant,
}

pub struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Body,
}

pub enum Body {
    /// With its length.
    Whole(Vec<u8>),
    /// Announces the length of the complete body, and sends this part of it.
    Cut(Vec<u8>, usize),
    /// As `Cut`, but the connection is reset afterwards, with http.
    Reset(Vec<u8>, usize),
    /// In pieces of this size, with this pause before each.
    Slow(Vec<u8>, usize, Duration),
    /// Chunked, for as long as the body lasts, or until the client disconnects.
    Stream(fn(&mut dyn Write) -> io::Result<()>),
}

pub fn ok(body: impl Into<Vec<u8>>) -> Answer {
    with(Body::Whole(body.into()))
}

pub fn with(body: Body) -> Answer {
    Answer {
        status: 200,
        headers: Vec::new(),
        body,
    }
}

pub fn status(status: u16) -> Answer {
    let page = ok("<html><body>Sorry</body></html>");
    Answer { status, ..page }
}

pub fn redirect(to: &str) -> Answer {
    status(302).header("Location", to)
}

/// A page with this head.
pub fn html(head: &str) -> Answer {
    let page = format!("<!doctype html><html><head>{head}</head><body>Hello</body></html>");
    ok(page).header("Content-Type", "text/html; charset=utf-8")
}

/// A robots.txt that lists these sitemaps.
pub fn robots(home: &str, names: &[&str]) -> Answer {
    let lines = names.iter().map(|name| format!("Sitemap: {home}{name}\n"));
    ok(lines.collect::<String>())
}

/// A sitemap that lists these pages.
pub fn listing(home: &str, names: &[&str]) -> Answer {
    ok(urlset(names.iter().map(|name| format!("{home}{name}"))))
}

/// An index that lists these sitemaps.
pub fn sitemaps(home: &str, names: &[&str]) -> Answer {
    ok(index(names.iter().map(|name| format!("{home}{name}"))))
}

/// The number of the night, which a test sets, and a site that depends on it.
pub fn nightly(
    site: impl Fn(usize, &str, &str) -> Answer + Send + Sync + 'static,
) -> (Arc<AtomicUsize>, Served) {
    let night = Arc::new(AtomicUsize::new(0));
    let tonight = Arc::clone(&night);
    let served = http(move |asked, home| site(tonight.load(Relaxed), &asked.path, home));
    (night, served)
}

impl Answer {
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// A site that is served until the test ends.
pub struct Served {
    /// `http://127.0.0.1:PORT/`, or the same with https.
    pub home: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    began: Instant,
    /// The certificate to be trusted, with https.
    pub cacert: Option<tempfile::NamedTempFile>,
}

type Site = dyn Fn(&Asked, &str) -> Answer + Send + Sync;

/// `site` is called for each request, with the URL of the home page.
pub fn http(site: impl Fn(&Asked, &str) -> Answer + Send + Sync + 'static) -> Served {
    serve(Arc::new(site), None)
}

pub fn https(site: impl Fn(&Asked, &str) -> Answer + Send + Sync + 'static) -> Served {
    let certified =
        rcgen::generate_simple_self_signed(["127.0.0.1".to_owned(), "localhost".to_owned()])
            .unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key =
        rustls::pki_types::PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .unwrap();
    let mut cacert = tempfile::NamedTempFile::new().unwrap();
    cacert.write_all(certified.cert.pem().as_bytes()).unwrap();
    let mut served = serve(Arc::new(site), Some(Arc::new(config)));
    served.cacert = Some(cacert);
    served
}

fn serve(site: Arc<Site>, tls: Option<Arc<rustls::ServerConfig>>) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let scheme = if tls.is_some() { "https" } else { "http" };
    let home = format!("{scheme}://{}/", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let served = Served {
        home: home.clone(),
        asked: Arc::clone(&asked),
        began: Instant::now(),
        cacert: None,
    };
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (site, tls) = (Arc::clone(&site), tls.clone());
            let (asked, home) = (Arc::clone(&asked), home.clone());
            thread::spawn(move || {
                // A client that has disconnected gets no response.
                let Some(tls) = tls else {
                    let answered = answer(&mut stream.try_clone().unwrap(), &*site, &asked, &home);
                    if let Ok(true) = answered {
                        reset(stream);
                    }
                    return;
                };
                let connection = rustls::ServerConnection::new(tls).unwrap();
                let mut stream = rustls::StreamOwned::new(connection, stream);
                let _ = answer(&mut stream, &*site, &asked, &home);
                stream.conn.send_close_notify();
                let _ = stream.flush();
            });
        }
    });
    served
}

/// Closes the connection while the last byte of the request is unread, so that the system resets it.
fn reset(stream: TcpStream) {
    thread::sleep(Duration::from_millis(100));
    drop(stream);
}

/// Returns `true` if the connection must be reset.
fn answer<S: Read + Write>(
    stream: &mut S,
    site: &Site,
    log: &Mutex<Vec<Asked>>,
    home: &str,
) -> io::Result<bool> {
    let mut head = Vec::new();
    {
        // One byte at a time, so that the last one can be left for a reset.
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r") {
            if stream.read(&mut byte)? == 0 {
                return Ok(false);
            }
            head.push(byte[0]);
        }
    }
    let head = String::from_utf8_lossy(&head);
    let mut lines = head.lines();
    let first = lines.next().unwrap_or_default();
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let mut words = first.split(' ').map(str::to_owned);
    let method = words.next().unwrap_or_default();
    let path = words.next().unwrap_or_default();
    let (asked, answer) = {
        let mut log = log.lock().unwrap();
        let before = log.iter().filter(|asked| asked.path == path).count();
        let asked = Asked {
            method,
            path,
            headers,
            before,
            at: Instant::now(),
        };
        log.push(asked.clone());
        drop(log);
        let answer = site(&asked, home);
        (asked, answer)
    };
    let has_no_body = answer.status == 304 || asked.method == "HEAD";
    let is_reset = matches!(answer.body, Body::Reset(..));
    if !is_reset {
        stream.read_exact(&mut [0])?;
    }
    let mut text = format!(
        "HTTP/1.1 {} Whatever\r\nConnection: close\r\n",
        answer.status
    );
    for (name, value) in &answer.headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    text += &match &answer.body {
        _ if answer.status == 304 => "\r\n".to_owned(),
        Body::Whole(bytes)
        | Body::Slow(bytes, ..)
        | Body::Cut(bytes, _)
        | Body::Reset(bytes, _) => format!("Content-Length: {}\r\n\r\n", bytes.len()),
        Body::Stream(_) => "Transfer-Encoding: chunked\r\n\r\n".to_owned(),
    };
    stream.write_all(text.as_bytes())?;
    match answer.body {
        _ if has_no_body => {}
        Body::Whole(bytes) => stream.write_all(&bytes)?,
        Body::Cut(bytes, sent) | Body::Reset(bytes, sent) => stream.write_all(&bytes[..sent])?,
        Body::Slow(bytes, size, pause) => {
            for piece in bytes.chunks(size) {
                thread::sleep(pause);
                stream.write_all(piece)?;
                stream.flush()?;
            }
        }
        Body::Stream(write) => {
            let mut chunked = io::BufWriter::with_capacity(16 << 10, Chunked(stream));
            write(&mut chunked)?;
            chunked.flush()?;
            chunked.get_mut().0.write_all(b"0\r\n\r\n")?;
        }
    }
    stream.flush()?;
    Ok(is_reset)
}

struct Chunked<'s, S>(&'s mut S);

impl<S: Write> Write for Chunked<'_, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write!(self.0, "{:x}\r\n", bytes.len())?;
        self.0.write_all(bytes)?;
        self.0.write_all(b"\r\n")?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Served {
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.home)
    }

    /// Number of requests for a path, which begins with a slash.
    pub fn count(&self, path: &str) -> usize {
        self.methods(path).len()
    }

    pub fn paths(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|asked| asked.path.clone()).collect()
    }

    /// Times of the requests for paths with this prefix.
    pub fn times(&self, begin: &str) -> Vec<Duration> {
        let asked = self.asked.lock().unwrap();
        let begun = asked.iter().filter(|asked| asked.path.starts_with(begin));
        begun.map(|asked| asked.at - self.began).collect()
    }

    /// The methods of the requests for a path, in their order.
    pub fn methods(&self, path: &str) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        let of_path = asked.iter().filter(|asked| asked.path == path);
        of_path.map(|asked| asked.method.clone()).collect()
    }

    /// A header of the latest request for a path.
    pub fn header(&self, path: &str, name: &str) -> Option<String> {
        let asked = self.asked.lock().unwrap();
        let latest = asked.iter().rev().find(|asked| asked.path == path)?;
        latest.headers.get(name).cloned()
    }

    /// Runs `sitemap` with these arguments, which contain no spaces. `SITE/` is the site's URL, in them and in the output.
    pub fn run(&self, arguments: &str) -> Ran {
        self.ran(self.command_of(arguments))
    }

    /// Runs it, with this status.
    #[track_caller]
    pub fn must(&self, arguments: &str, status: i32) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.status, status, "{ran}");
        ran
    }

    pub fn run_all(&self, arguments: &[&str]) -> Ran {
        self.ran(self.command(arguments))
    }

    pub fn ran(&self, mut command: Command) -> Ran {
        Ran::of(&command.output().unwrap(), &command, &self.home)
    }

    pub fn command_of(&self, arguments: &str) -> Command {
        let arguments = arguments.replace("SITE/", &self.home);
        self.command(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = sitemap(arguments);
        if let Some(cacert) = &self.cacert {
            command.arg("--cacert").arg(cacert.path());
        }
        command
    }
}

/// The program, without the variables of the environment that affect it.
pub fn sitemap(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitemap"));
    for proxy in ["http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(proxy).env_remove(proxy.to_uppercase());
    }
    for name in [
        "RUST_BACKTRACE",
        "SSL_CERT_FILE",
        "SITEMAP_PASSWORD",
        "CLICOLOR_FORCE",
        "GITHUB_STEP_SUMMARY",
    ] {
        command.env_remove(name);
    }
    command.args(arguments);
    command
}

/// Begins a command, the output of which is kept.
pub fn begin(mut command: Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends a signal.
pub fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}

#[derive(Debug)]
pub struct Ran {
    /// The arguments, if they are known.
    pub arguments: String,
    pub status: i32,
    pub out: String,
    pub said: String,
}

/// Compares the results, and not the arguments.
impl PartialEq for Ran {
    fn eq(&self, other: &Self) -> bool {
        (self.status, &self.out, &self.said) == (other.status, &other.out, &other.said)
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            arguments,
            status,
            out,
            said,
        } = self;
        write!(f, "sitemap {arguments}: status {status}\n{out}\n{said}")
    }
}

impl Ran {
    pub fn new(output: Output, home: &str) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap().replace(home, "SITE/");
        Self {
            arguments: String::new(),
            status: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            said: text(output.stderr),
        }
    }

    /// The output of a command.
    pub fn of(output: &Output, command: &Command, home: &str) -> Self {
        let arguments: Vec<_> = command
            .get_args()
            .map(|word| word.to_string_lossy())
            .collect();
        Self {
            arguments: arguments.join(" ").replace(home, "SITE/"),
            ..Self::new(output.clone(), home)
        }
    }

    /// With another text in place of this one, in all that was printed.
    pub fn replace(self, text: &str, shown: &str) -> Self {
        Self {
            out: self.out.replace(text, shown),
            said: self.said.replace(text, shown),
            ..self
        }
    }

    /// Asserts the status and the whole of standard output.
    #[track_caller]
    pub fn gives(&self, status: i32, out: &str) {
        assert_eq!((self.status, &*self.out), (status, out), "{self}");
    }

    /// Asserts that standard error contains the text.
    #[track_caller]
    pub fn says(&self, text: &str) {
        assert!(self.said.contains(text), "`{text}` is missing: {self}");
    }

    /// Asserts that standard error begins with the text.
    #[track_caller]
    pub fn says_first(&self, text: &str) {
        assert!(self.said.starts_with(text), "`{text}` is not first: {self}");
    }

    #[track_caller]
    pub fn says_last(&self, text: &str) {
        assert!(self.said.ends_with(text), "`{text}` is not last: {self}");
    }

    #[track_caller]
    pub fn does_not_say(&self, text: &str) {
        assert!(!self.said.contains(text), "`{text}`: {self}");
    }

    /// Asserts that standard output contains the text.
    #[track_caller]
    pub fn prints(&self, text: &str) {
        assert!(self.out.contains(text), "`{text}` is missing: {self}");
    }

    #[track_caller]
    pub fn prints_first(&self, text: &str) {
        assert!(self.out.starts_with(text), "`{text}` is not first: {self}");
    }

    #[track_caller]
    pub fn prints_last(&self, text: &str) {
        assert!(self.out.ends_with(text), "`{text}` is not last: {self}");
    }

    #[track_caller]
    pub fn does_not_print(&self, text: &str) {
        assert!(!self.out.contains(text), "`{text}`: {self}");
    }

    pub fn value(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// Lines that are JSON.
    pub fn values(&self) -> Vec<Value> {
        let line = |line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}: {self}"));
        self.out.lines().map(line).collect()
    }

    /// The rules of findings in JSON lines.
    pub fn rules(&self) -> Vec<String> {
        let rule = |found: &Value| found["rule"].as_str().unwrap().to_owned();
        self.values().iter().map(rule).collect()
    }

    pub fn lines(&self) -> Vec<&str> {
        let mut lines: Vec<&str> = self.out.lines().collect();
        lines.sort_unstable();
        lines
    }
}

/// The most memory that the program has while it runs, in KiB. Waits for its end.
#[cfg(target_os = "linux")]
pub fn peak(child: &mut std::process::Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("VmHWM:"));
        let size = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
        peak = peak.max(size.unwrap_or(0));
        thread::sleep(Duration::from_millis(5));
    }
    peak
}

pub const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

pub fn urlset(locs: impl IntoIterator<Item = String>) -> Vec<u8> {
    document("urlset", "url", locs)
}

pub fn index(locs: impl IntoIterator<Item = String>) -> Vec<u8> {
    document("sitemapindex", "sitemap", locs)
}

/// A document with an entry per line from line 3 on.
fn document(root: &str, entry: &str, locs: impl IntoIterator<Item = String>) -> Vec<u8> {
    let mut text = format!("<?xml version=\"1.0\"?>\n<{root} xmlns=\"{NAMESPACE}\">\n");
    for loc in locs {
        let _ = writeln!(text, "<{entry}><loc>{loc}</loc></{entry}>");
    }
    let _ = writeln!(text, "</{root}>");
    text.into_bytes()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// `count` pages of a sitemap, named after it.
pub fn pages(home: &str, name: &str, count: usize) -> Vec<String> {
    let page = |number| format!("{home}{name}/{number}");
    (0..count).map(page).collect()
}
