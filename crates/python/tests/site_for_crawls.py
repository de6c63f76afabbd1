"""A site for the tests of crawls, and a server for it."""

import http.server
import threading
from collections import Counter
from contextlib import contextmanager

from conftest import NS

from quick_sitemap import Response

HOME = "https://example.com/"


def urlset(home, name, count):
    pages = "".join(f"<url><loc>{home}{name}/{n}</loc></url>" for n in range(count))
    return f"<urlset xmlns='{NS}'>{pages}</urlset>".encode()


def index(*locs):
    sitemaps = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f"<sitemapindex xmlns='{NS}'>{sitemaps}</sitemapindex>".encode()


class Site:
    """A nested index that lists itself, a redirect, a response that breaks off once, a server that is busy once, a missing
    sitemap and one on another host: 62 pages."""

    def __init__(self, home=HOME):
        self.home = home
        self.requested = Counter()
        self.lock = threading.Lock()

    def answer(self, path):
        """The status, the headers, the body, and how many bytes of it are sent."""
        with self.lock:
            before = self.requested[path]
            self.requested[path] += 1
        home = self.home
        at = home + "{}"
        if path == "/robots.txt":
            return 200, {}, b"User-agent: *\nDisallow: /b/\nSitemap: /index.xml", None
        if path == "/index.xml":
            own = [at.format(name) for name in ("index.xml", "a.xml", "deeper.xml", "moved.xml", "lost.xml")]
            return 200, {}, index(*own, "https://elsewhere.example/x.xml"), None
        if path == "/deeper.xml":
            return 200, {}, index(*(at.format(name) for name in ("b.xml", "cut.xml", "busy.txt", "a.xml"))), None
        if path in ("/a.xml", "/b.xml"):
            return 200, {"Content-Type": "text/xml"}, urlset(home, path[1], 20), None
        if path == "/moved.xml":
            return 301, {"Location": "/b.xml"}, b"", None
        if path == "/cut.xml":
            return 200, {}, urlset(home, "cut", 20), None if before else 300
        if path == "/busy.txt" and not before:
            return 503, {"Retry-After": "0"}, b"", None
        if path == "/busy.txt":
            return 200, {}, f"{home}c/1\n{home}c/2\n".encode(), None
        return 404, {}, b"<html>", None

    def fetch(self, request):
        assert request.url.startswith(self.home), request
        status, headers, body, cut = self.answer(request.url.removeprefix(self.home.rstrip("/")))
        if cut is not None:
            headers = {**headers, "Content-Length": str(len(body))}
        return Response(status, headers, body[:cut])

    async def fetch_async(self, request):
        return self.fetch(request)


def check(site, pages, crawl):
    """All pages of the site were found, and each once."""
    names = Counter(name for name in ("a", "b", "cut") for _ in range(20)) + Counter(c=2)
    assert Counter(page.loc.removeprefix(site.home).split("/")[0] for page in pages) == names
    assert len({page.loc for page in pages}) == 62
    assert all(page.sitemap.startswith(site.home) for page in pages)
    summary = crawl.summary
    assert (summary.done, summary.failed, summary.pages) == (6, 1, 62)
    # The order in which the two are found decides whether the redirect or its target is read.
    assert (summary.sitemaps, summary.duplicates) in ((8, 1), (7, 0))
    [left_out] = summary.left_out
    assert (left_out.reason, left_out.count, left_out.examples) == ("other-host", 1, ("https://elsewhere.example/x.xml",))
    assert crawl.coverage == "incomplete" and summary.robots_failure is None
    failed = [(sitemap.url, sitemap.failure) for sitemap in crawl.sitemaps if sitemap.state == "failed"]
    assert failed == [(site.home + "lost.xml", "status 404")]


@contextmanager
def answering(answer):
    """A server on this machine whose handler is this function. Yields its URL and the headers of its requests."""
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.headers)
            status, headers, body = answer(self.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", requests
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def serving():
    """The site on this machine."""

    def answer(path):
        status, headers, body, cut = site.answer(path)
        return status, {**headers, "Content-Length": str(len(body))}, body[:cut]

    with answering(answer) as (home, _):
        site = Site(home)
        yield site
