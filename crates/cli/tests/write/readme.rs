//! The output in README is the output of the program, and so is that in `docs/generators.md`.

#[cfg(unix)]
mod generators;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

#[test]
fn outputs() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || answer(stream));
        }
    });
    let cases = trycmd::TestCases::new();
    cases.env("HTTP_PROXY", proxy).env("NO_PROXY", "");
    cases.case("README.md");
}

/// A proxy that is all sites of the examples itself.
fn answer(mut stream: TcpStream) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let mut host = String::new();
    loop {
        let request: Vec<_> = lines
            .by_ref()
            .map_while(Result::ok)
            .take_while(|line| !line.is_empty())
            .collect();
        let Some(first) = request.first() else {
            return;
        };
        let target = first.split(' ').nth(1).unwrap_or_default();
        let response = if first.starts_with("CONNECT ") {
            host = target.to_owned();
            "HTTP/1.1 200 Connected\r\n\r\n".to_owned()
        } else {
            let (status, to) = page(&host, target);
            let to = to.map_or(String::new(), |to| format!("Location: {to}\r\n"));
            format!("HTTP/1.1 {status} Whatever\r\n{to}Content-Length: 0\r\n\r\n")
        };
        if stream.write_all(response.as_bytes()).is_err() {
            return;
        }
    }
}

/// The status of a page, and where it redirects.
fn page(host: &str, path: &str) -> (u16, Option<&'static str>) {
    match (host, path) {
        ("old.example:80", "/p/1") => (301, Some("http://www.example.com/kettles")),
        ("old.example:80", "/p/2") => (301, Some("http://www.example.com/")),
        ("old.example:80", "/p/3") => (302, Some("http://www.old.example/p/3")),
        ("www.old.example:80", "/p/3") => (301, Some("http://www.example.com/p/3")),
        ("www.example.com:80", "/p/3") => (301, Some("/cups")),
        ("old.example:80", "/p/4") => (301, Some("http://www.example.com/teas")),
        ("old.example:80", "/p/5") => (301, Some("http://www.example.com/black-tea")),
        ("www.example.com:80", "/" | "/kettles" | "/cups" | "/black-tea") => (200, None),
        _ => (404, None),
    }
}
