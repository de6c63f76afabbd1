"""The clients of quick_sitemap.fetch, each against a server on this machine."""

import asyncio
import contextlib
import gzip
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
from conftest import urlset_of
from site_for_crawls import answering, check, serving, urlset

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


@pytest.mark.parametrize("client", ["urllib", "requests", "httpx"])
def test_a_body_that_is_sent_gzipped(client):
    body = urlset_of("<url><loc>https://example.com/</loc></url>")

    def answer(path):
        packed = gzip.compress(body)
        return 200, {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}, packed

    with answering(answer) as (home, requests):
        pages = crawl(home + "a.xml", client_of(client))
        assert len(list(pages)) == 1 and pages.coverage == "complete"
    assert "gzip" in requests[0]["Accept-Encoding"]


def test_a_gzipped_body_that_breaks_off_is_requested_again():
    packed = gzip.compress(urlset("https://example.com/", "a", 1000))
    answers = iter([packed[:-20], packed])

    def answer(path):
        return 200, {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}, next(answers)

    with answering(answer) as (home, requests):
        pages = crawl(home + "a.xml", fetch.urllib())
        assert len(list(pages)) == 1000 and len(requests) == 2 and pages.coverage == "complete"


def test_headers_and_redirects_of_urllib():
    def answer(path):
        if path == "/robots.txt":
            return 302, {"Location": "file:///etc/hostname"}, b""
        return 404, {}, b""

    with answering(answer) as (home, requests):
        pages = crawl(home, fetch.urllib(headers={"User-Agent": "mine", "X-Key": "1"}), on_error="warn")
        assert list(pages) == []
        # Such a site has no robots.txt, but whether it lists a sitemap was not said.
        assert pages.summary.robots_failure == "a redirect without a Location that is an http or https URL"
        assert pages.coverage == "unknown"
        assert f"{home}robots.txt: it is refused" in pages.not_looked
    assert {request["User-Agent"] for request in requests} == {"mine"} and requests[0]["X-Key"] == "1"
    with answering(answer) as (home, requests):
        list(crawl(home, on_error="warn"))
        list(crawl(home, on_error="warn", user_agent="my-crawler/2"))
    assert requests[0]["User-Agent"] == f"quick-sitemap/{quick_sitemap.__version__}"
    assert requests[-1]["User-Agent"] == "my-crawler/2"


@contextmanager
def slow(head, piece):
    """A server that sends this piece of its response to /a.xml again and again, for 20 seconds. Yields its URL."""

    def answer(connection):
        request = connection.recv(1 << 16)
        try:
            if b" /a.xml " not in request:
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            connection.sendall(head)
            for _ in range(400):
                connection.sendall(piece)
                time.sleep(0.05)
        except OSError:
            pass
        finally:
            connection.close()

    def serve():
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
    finally:
        server.close()


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"x"),
        (b"HTTP/1.1 200 ", b"x"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["body", "chunks", "header", "status", "100"],
)
def test_a_response_that_never_ends(head, piece):
    with slow(head, piece) as home:
        pages = crawl(home + "a.xml", fetch.urllib(timeout=0.5), retries=0, on_error="warn")
        assert list(pages) == []
    (sitemap,) = pages.sitemaps
    assert "the response was not complete after waiting for 0.5 seconds" in sitemap.failure


def test_time_in_which_pages_are_used_does_not_count():
    body = urlset("https://example.com/", "a", 5000)

    def answer(path):
        return 200, {"Content-Length": str(len(body))}, body

    with answering(answer) as (home, _):
        pages = crawl(home + "a.xml", fetch.urllib(timeout=0.5))
        for number, _ in enumerate(pages):
            if number % 1000 == 0:
                time.sleep(0.2)
    assert pages.summary.pages == 5000 and pages.coverage == "complete"


def test_clients_are_imported_when_they_are_used():
    program = """
import sys
import quick_sitemap
quick_sitemap.crawl("example.com", lambda request: None)
print([name for name in ("urllib.request", "requests", "httpx", "aiohttp", "pandas", "pyarrow") if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "[]\n", ran.stderr
