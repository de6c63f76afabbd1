"""The clients of quick_sitemap.fetch, each against a server on this machine."""

import asyncio
import gzip
import http.server
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
from conftest import urlset_of
from site_for_crawls import check, serving, urlset

import quick_sitemap
from quick_sitemap import crawl, crawl_async, fetch

pytestmark = pytest.mark.filterwarnings("ignore::quick_sitemap.IncompleteCrawlWarning")


def client_of(name):
    if name == "default":
        return None
    if name != "urllib":
        pytest.importorskip(name, reason=f"!! {name} is not there: quick_sitemap.fetch.{name} was NOT tested")
    return getattr(fetch, name)()


@pytest.mark.parametrize("client", ["default", "urllib", "requests", "httpx"])
@pytest.mark.parametrize("jobs", [1, 4])
def test_clients(client, jobs):
    with serving() as site:
        pages = crawl(site.home, client_of(client), jobs=jobs)
        check(site, list(pages), pages)
        assert site.requested["/cut.xml"] == 2


@pytest.mark.parametrize("client", ["default", "httpx", "aiohttp"])
def test_async_clients(client):
    if client != "default":
        package = pytest.importorskip(client, reason=f"!! {client} is not there: quick_sitemap.fetch.{client} was NOT tested")

    async def main(site):
        if client == "httpx":
            async with package.AsyncClient() as session:
                return await all_of(crawl_async(site.home, fetch.httpx(session)))
        if client == "aiohttp":
            async with package.ClientSession() as session:
                return await all_of(crawl_async(site.home, fetch.aiohttp(session)))
        return await all_of(crawl_async(site.home))

    async def all_of(pages):
        return [page async for page in pages], pages

    with serving() as site:
        check(site, *asyncio.run(main(site)))


@contextmanager
def answering(answer):
    """A server whose handler is this function. Yields its URL and the headers of its requests."""
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.headers)
            status, headers, body = answer(self)
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


@pytest.mark.parametrize("client", ["urllib", "requests", "httpx"])
def test_a_body_that_is_sent_gzipped(client):
    body = urlset_of("<url><loc>https://example.com/</loc></url>")

    def answer(handler):
        packed = gzip.compress(body)
        return 200, {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}, packed

    with answering(answer) as (home, requests):
        pages = crawl(home + "a.xml", client_of(client))
        assert len(list(pages)) == 1 and pages.summary.completeness == "complete"
    assert "gzip" in requests[0]["Accept-Encoding"]


def test_a_gzipped_body_that_breaks_off_is_requested_again():
    packed = gzip.compress(urlset("https://example.com/", "a", 1000))
    answers = iter([packed[:-20], packed])

    def answer(handler):
        return 200, {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}, next(answers)

    with answering(answer) as (home, requests):
        pages = crawl(home + "a.xml", fetch.urllib())
        assert len(list(pages)) == 1000 and len(requests) == 2 and pages.summary.completeness == "complete"


def test_headers_and_redirects_of_urllib():
    def answer(handler):
        if handler.path == "/robots.txt":
            return 302, {"Location": "file:///etc/hostname"}, b""
        return 404, {}, b""

    with answering(answer) as (home, requests):
        pages = crawl(home, fetch.urllib(headers={"User-Agent": "mine", "X-Key": "1"}))
        assert list(pages) == []
        assert pages.summary.robots_failure == "a redirect to a URL that is neither http nor https"
    assert {request["User-Agent"] for request in requests} == {"mine"} and requests[0]["X-Key"] == "1"
    with answering(answer) as (home, requests):
        list(crawl(home))
    assert requests[0]["User-Agent"] == f"quick-sitemap/{quick_sitemap.__version__}"


def test_clients_are_imported_when_they_are_used():
    program = """
import sys
import quick_sitemap
quick_sitemap.crawl("example.com", lambda request: None)
print([name for name in ("urllib.request", "requests", "httpx", "aiohttp", "pandas", "pyarrow") if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "[]\n", ran.stderr
