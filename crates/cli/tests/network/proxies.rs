//! Proxies of the environment, and connections that a server closes.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::served::{http, https, index, ok, sitemap, status, urlset};

/// A SOCKS5 proxy without a login. Returns its address, and the number of its connections.
fn socks() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let count = Arc::new(AtomicUsize::new(0));
    let connections = Arc::clone(&count);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            connections.fetch_add(1, Ordering::SeqCst);
            thread::spawn(move || forward(stream));
        }
    });
    (address, count)
}

fn forward(mut client: TcpStream) -> Option<()> {
    let mut greeting = [0; 2];
    client.read_exact(&mut greeting).ok()?;
    let mut methods = vec![0; usize::from(greeting[1])];
    client.read_exact(&mut methods).ok()?;
    client.write_all(&[5, 0]).ok()?;
    // The request: an IPv4 address and a port.
    let mut request = [0; 10];
    client.read_exact(&mut request).ok()?;
    assert_eq!(request[..4], [5, 1, 0, 1]);
    let [.., a, b, c, d, high, low] = request;
    let port = u16::from_be_bytes([high, low]);
    let server = TcpStream::connect(format!("{a}.{b}.{c}.{d}:{port}")).ok()?;
    client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).ok()?;
    let copy = |mut from: TcpStream, mut to: TcpStream| {
        thread::spawn(move || std::io::copy(&mut from, &mut to))
    };
    copy(client.try_clone().ok()?, server.try_clone().ok()?);
    copy(server, client);
    Some(())
}

fn site() -> crate::served::Served {
    http(|asked, _| match asked.path.as_str() {
        "/sitemap.xml" => ok(urlset(["https://e.com/a".to_owned()])),
        _ => status(404),
    })
}

#[test]
fn socks_proxies_are_used() {
    let site = site();
    for kind in ["socks5", "socks5h", "socks"] {
        let (proxy, connections) = socks();
        let mut command = sitemap(&["show", &site.at("sitemap.xml"), "--format", "csv"]);
        let output = command
            .env("ALL_PROXY", format!("{kind}://{proxy}"))
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(printed.contains("https://e.com/a"), "{kind}: {said}");
        assert_eq!(connections.load(Ordering::SeqCst), 1, "{kind}");
    }
}

/// No request goes out directly because a proxy was misspelt or does not answer.
#[test]
fn a_proxy_that_is_none_or_dead_is_named() {
    let site = site();
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let run = |variable: &str, value: &str| {
        let mut command = sitemap(&["crawl", &site.at("sitemap.xml"), "--retries", "0"]);
        let output = command.env(variable, value).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for value in [
        "nonsense proxy",
        "http:/127.0.0.1:9",
        "socks6://127.0.0.1:9",
    ] {
        let (status, said) = run("HTTP_PROXY", value);
        assert_eq!(status, Some(2), "{said}");
        assert!(
            said.contains("HTTP_PROXY: `") && said.contains("is no proxy"),
            "{said}"
        );
    }
    for kind in ["http", "socks5", "socks4"] {
        let (status, said) = run("ALL_PROXY", &format!("{kind}://{closed}"));
        assert_ne!(status, Some(0), "{said}");
        let named = format!("the proxy {closed} (ALL_PROXY): connection refused");
        assert!(said.contains(&named), "{said}");
    }
    assert_eq!(site.count("sitemap.xml"), 0);
}

/// A proxy has no part in the certificate of a site, but in the look-up of its name.
#[test]
fn the_certificate_of_a_site_is_not_that_of_a_proxy() {
    let site = https(|_, _| ok(urlset(["https://e.com/a".to_owned()])));
    let (proxy, connections) = socks();
    let run = |url: &str, proxy: &str| {
        let mut command = sitemap(&["show", url, "--retries", "0"]);
        let output = command.env("ALL_PROXY", proxy).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let url = site.at("sitemap.xml");
    let direct = run(&url, "");
    assert!(direct.contains("not signed by a trusted"), "{direct}");
    for kind in ["socks5", "socks5h"] {
        assert_eq!(run(&url, &format!("{kind}://{proxy}")), direct);
    }
    assert_eq!(connections.load(Ordering::SeqCst), 2);
    let unknown = run("http://e.invalid/s.xml", &format!("socks5://{proxy}"));
    assert!(unknown.contains("socks5h:// lets"), "{unknown}");
}

/// A GET on a connection that was kept may be sent again (RFC 9112, 9.3.1); it is no retry.
#[test]
fn a_server_that_closes_every_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let home = format!("http://{}", listener.local_addr().unwrap());
    let site = home.clone();
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut head = Vec::new();
            let mut piece = [0; 4_096];
            while !head.windows(4).any(|end| end == b"\r\n\r\n") {
                match stream.read(&mut piece) {
                    Ok(len @ 1..) => head.extend_from_slice(&piece[..len]),
                    _ => break,
                }
            }
            let head = String::from_utf8_lossy(&head);
            let Some(path) = head.split(' ').nth(1) else {
                continue;
            };
            let body = match path {
                "/sitemap.xml" => index((0..6).map(|part| format!("{site}/p{part}.xml"))),
                path => urlset([format!("{site}/page{path}")]),
            };
            let head = format!(
                "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
            // The client takes the connection back before it is closed.
            thread::sleep(Duration::from_millis(50));
        }
    });
    let url = format!("{home}/sitemap.xml");
    let output = sitemap(&["crawl", &url, "--retries", "0", "-j", "1"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.matches("/page").count(), 6, "{printed}{said}");
}
