//! Proxies of the environment, and connections that a server closes.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::folder::Folder;
use crate::served::{Served, http, https, index, ok, status, urlset};

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

fn site() -> Served {
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
        let mut command = site.command_of("show SITE/sitemap.xml --format csv");
        command.env("ALL_PROXY", format!("{kind}://{proxy}"));
        site.ran(command).prints("https://e.com/a");
        assert_eq!(connections.load(Ordering::SeqCst), 1, "{kind}");
    }
}

/// No request goes out directly because a proxy was misspelt or does not answer.
#[test]
fn a_proxy_that_is_none_or_dead_is_named() {
    let site = site();
    let run = |variable: &str, value: &str| {
        let mut command = site.command_of("crawl SITE/sitemap.xml --retries 0");
        command.env(variable, value);
        let ran = site.ran(command);
        assert_eq!(ran.status, 2, "{value}: {ran}");
        ran
    };
    for value in [
        "nonsense proxy",
        "http:/127.0.0.1:9",
        "socks6://127.0.0.1:9",
    ] {
        let ran = run("HTTP_PROXY", value);
        ran.says("HTTP_PROXY: `");
        ran.says("is no proxy");
    }
    for kind in ["http", "socks5", "socks4"] {
        let ran = run("ALL_PROXY", &format!("{kind}://127.0.0.1:1"));
        ran.says("the proxy 127.0.0.1:1 (ALL_PROXY): connection refused");
    }
    assert_eq!(site.count("/sitemap.xml"), 0);
}

/// A proxy has no part in the certificate of a site, but in the look-up of its name.
#[test]
fn the_certificate_of_a_site_is_not_that_of_a_proxy() {
    let mut site = https(|_, _| ok(urlset(["https://e.com/a".to_owned()])));
    site.cacert = None;
    let (proxy, connections) = socks();
    let run = |url: &str, proxy: &str| {
        let mut command = site.command_of(&format!("show {url} --retries 0"));
        command.env("ALL_PROXY", proxy);
        site.ran(command)
    };
    let direct = run("SITE/sitemap.xml", "");
    direct.says("not signed by a trusted");
    for kind in ["socks5", "socks5h"] {
        let ran = run("SITE/sitemap.xml", &format!("{kind}://{proxy}"));
        assert_eq!(ran.said, direct.said);
    }
    assert_eq!(connections.load(Ordering::SeqCst), 2);
    let unknown = run("http://e.invalid/s.xml", &format!("socks5://{proxy}"));
    unknown.says("socks5h:// lets");
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
    let ran = Folder::new().must(&format!("crawl {url} --retries 0 -j 1"), 0);
    assert_eq!(ran.out.matches("/page").count(), 6, "{ran}");
}
