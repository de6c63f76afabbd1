"""crawl() and crawl_async(): what is fetched, what comes out, what is closed, and what is not read."""

import asyncio
import gc
import io
import itertools
import json
import os
import pickle
import signal
import threading
import tracemalloc
import warnings
import weakref
from datetime import datetime, timezone

import pytest
from conftest import NS, Body, Endless, raising, readme_block, urlset_of
from site_for_crawls import HOME, Site, check, index, serving, urlset

from _quick_sitemap import crawl as _crawl
from _quick_sitemap import crawl_async as _crawl_async
from _quick_sitemap import crawling as _crawling

import quick_sitemap
from quick_sitemap import IncompleteCrawlWarning, Request, Response, crawl, crawl_async, crawl_table

# The summary tests what a site lacks; the warning has its own test.
pytestmark = pytest.mark.filterwarnings("ignore::quick_sitemap.IncompleteCrawlWarning")


class Clock:
    """A time that only sleeping moves."""

    def __init__(self):
        self.now = 1_000_000.0
        self.slept = []

    def sleep(self, seconds):
        self.slept.append(seconds)
        # One that is added to a large time would be lost.
        self.now += seconds + 1e-6

    async def sleep_async(self, seconds):
        self.sleep(seconds)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_crawling, "now", lambda: clock.now)
    monkeypatch.setattr(_crawl, "sleep", clock.sleep)
    monkeypatch.setattr(_crawl_async, "sleep", clock.sleep_async)
    return clock


# The summary tells what failed; the exception has its own test.
LENIENT = {"on_error": "warn"}


def in_turn(site, fetch, **options):
    pages = crawl(site, fetch, **{**LENIENT, **options})
    return list(pages), pages


def with_threads(site, fetch, **options):
    return in_turn(site, fetch, **{"jobs": 4, **options})


def with_tasks(site, fetch, **options):
    async def fetching(request):
        await asyncio.sleep(0)
        return fetch(request)

    async def main():
        pages = crawl_async(site, fetching, **{"jobs": 4, **LENIENT, **options})
        return [page async for page in pages], pages

    return asyncio.run(main())


every_way = pytest.mark.parametrize("way", [in_turn, with_threads, with_tasks])


@every_way
def test_a_site(way):
    site = Site()
    check(site, *way(HOME, site.fetch))
    assert site.requested["/cut.xml"] == 2 and site.requested["/busy.txt"] == 2
    assert site.requested["/index.xml"] == 1 and site.requested["/a.xml"] == 1


def test_a_host_is_a_site():
    for site in ("example.com", "example.com/", "https://example.com", "HTTPS://EXAMPLE.COM/"):
        check(Site(), *in_turn(site, Site().fetch))
    requested = []
    in_turn("http://localhost:8000/a.xml", lambda request: requested.append(request.url) or Response(404))
    assert requested == ["http://localhost:8000/a.xml"]


def test_pages_are_counted_while_a_sitemap_is_read():
    """And each once, though the connection breaks off."""
    whole = urlset(HOME, "a", 3000)

    def fetch(request):
        return Response(200, {"Content-Length": str(len(whole))}, whole[:90_000] if request.attempt == 1 else whole)

    pages = crawl(HOME + "a.xml", fetch)
    assert pages.summary.pages == 0 and repr(pages) == "<quick_sitemap.Crawl, 0 pages in 0 sitemaps so far>"
    counts = []
    for number, _ in enumerate(pages, 1):
        counts.append(pages.summary.pages)
        assert counts[-1] >= number
    assert counts == sorted(counts) and counts[0] < 3000 and len(set(counts)) > 2
    assert pages.summary.pages == 3000 and repr(pages) == "<quick_sitemap.Crawl, 3000 pages in 1 sitemap so far>"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("use", ["next", "summary", "table", "close"])
def test_a_fork_during_a_crawl_with_threads(use):
    """The child lacks the threads: it gets an exception, and does not wait for them. The parent goes on."""
    if use == "table":
        pages = iter(crawl_table(HOME, Site().fetch, jobs=4, batch_rows=1))
    else:
        pages = crawl(HOME, Site().fetch, jobs=4)
    found = [next(pages)]
    child = os.fork()
    if child == 0:
        status = 1
        try:
            # Ends a child that waits.
            signal.alarm(60)
            if use == "close":
                pages.close()
                status = 7
            else:
                # The pages that have been read can still be returned.
                for _ in range(1000):
                    pages.summary if use == "summary" else next(pages)
        except RuntimeError as error:
            if "was forked during crawl(jobs=4)" in str(error):
                status = 7
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7
    found += pages
    # A table has a row for the sitemap that failed, and one for that which was left out.
    assert len(found) == (64 if use == "table" else 62)


def test_one_sitemap_and_an_order():
    site = Site()
    pages, found = in_turn(HOME + "deeper.xml", site.fetch)
    assert "/robots.txt" not in site.requested and found.sitemaps[0].is_index
    assert [page.sitemap for page in pages[:21]] == [HOME + "b.xml"] * 20 + [HOME + "cut.xml"]
    assert found.sitemaps[1].parent == HOME + "deeper.xml" and found.sitemaps[1].depth == 2


def test_a_page_knows_its_sitemap():
    [page] = crawl(HOME + "a.txt", lambda request: Response(200, body=b"https://example.com/1"))
    assert page.sitemap == HOME + "a.txt" and page.to_dict()["sitemap"] == page.sitemap
    again = pickle.loads(pickle.dumps(page))
    assert again.sitemap == page.sitemap and again == next(quick_sitemap.read(b"https://example.com/1"))
    assert next(quick_sitemap.read(b"https://example.com/1")).sitemap is None


def test_requests():
    requests = []
    site = Site()

    def fetch(request):
        requests.append(request)
        return site.fetch(request)

    in_turn("https://user:word@example.com/some/robots.txt", fetch)
    login = {"Authorization": "Basic dXNlcjp3b3Jk"}
    assert requests[0] == Request(HOME + "some/robots.txt", HOME + "some/robots.txt", "robots", None, 0, 1, login)
    assert "word" not in repr(requests) and "dXN" not in repr(requests)
    requests.clear()
    in_turn(HOME, fetch)
    by_url = {request.url: request for request in requests}
    assert by_url[HOME + "index.xml"].depth == 1
    moved = [request for request in requests if request.sitemap == HOME + "moved.xml"]
    assert [request.url for request in moved] == [HOME + "moved.xml", HOME + "b.xml"]
    assert by_url[HOME + "a.xml"].parent == HOME + "index.xml"
    requests.clear()
    in_turn(HOME, lambda request: requests.append(request) or Response(404))
    assert [request.kind for request in requests] == ["robots"] + ["guess"] * 7


@pytest.mark.parametrize("body", [
    bytes, bytearray, memoryview, io.BytesIO, Body, lambda body: [body], lambda body: iter((body[:7], b"", body[7:])),
    lambda body: (bytes((byte,)) for byte in body), lambda body: memoryview(body + body)[: len(body)],
])
@every_way
def test_bodies(way, body):
    pages, _ = way(HOME + "a.xml", lambda request: Response(200, {}, body(urlset(HOME, "a", 1000))))
    assert len(pages) == 1000


def test_async_bodies():
    class Stream(Body):
        async def read(self, size):
            await asyncio.sleep(0)
            return super().read(size)

    async def parts(body):
        yield body[:100]
        await asyncio.sleep(0)
        yield body[100:]

    closed = []

    async def aclose():
        await asyncio.sleep(0)
        closed.append(True)

    async def main(body, close=None):
        async def fetch(request):
            return Response(200, {}, body(urlset(HOME, "a", 1000)), close=close)

        return len([page async for page in crawl_async(HOME + "a.xml", fetch)])

    assert asyncio.run(main(Stream)) == 1000
    assert asyncio.run(main(parts)) == 1000
    assert asyncio.run(main(bytes, close=aclose)) == 1000 and closed == [True]


@pytest.mark.parametrize("headers", [
    {"Content-Type": "text/plain; charset=windows-1251"},
    [("CONTENT-type", "text/plain; charset=windows-1251"), ("content-type", "text/plain; charset=utf-8")],
    [(b"content-type", b"text/plain; charset=windows-1251")],
])
def test_headers(headers):
    body = "https://example.com/страница".encode("windows-1251")
    [page] = crawl(HOME + "a.txt", lambda request: Response(200, headers, body))
    assert page.loc.endswith("/%D1%81%D1%82%D1%80%D0%B0%D0%BD%D0%B8%D1%86%D0%B0")


# The bytes of a server in the form of aiohttp, if they are not UTF-8.
SURROGATE = b"\xff".decode("utf-8", "surrogateescape")


@every_way
def test_surrogates_of_clients_do_not_end_the_crawl(way):
    def fetch(request):
        if request.url == HOME + "a.txt":
            return Response(301, {"Location": f"/{SURROGATE}", "Retry-After": SURROGATE, "Content-Type": SURROGATE})
        raise OSError(f"Bad header: {SURROGATE}")

    _, found = way(HOME + "a.txt", fetch, retries=0)
    assert [sitemap.failure for sitemap in found.sitemaps] == ["OSError: Bad header: \ufffd"]

    def parts():
        yield b"https://example.com/1\n"
        raise OSError(SURROGATE)

    pages, found = way(HOME + "a.txt", lambda request: Response(200, {}, parts()), retries=0)
    assert len(pages) == 1 and found.sitemaps[0].failure.endswith("\ufffd")


@every_way
def test_an_exception_without_a_text_is_a_failure(way):
    class Silent(Exception):
        def __str__(self):
            raise KeyError("text")

    _, found = way(HOME + "a.txt", raising(Silent), retries=0)
    assert found.sitemaps[0].failure == "Silent: <exception str() failed>"


def test_headers_that_a_client_does_not_have():
    _, found = in_turn(HOME + "a.txt", lambda request: Response(301, {"Location": None}))
    assert found.sitemaps[0].failure == "a redirect without a Location that is an http or https URL"
    # As Scrapy has them.
    with pytest.raises(TypeError, match="the header location must be a str or bytes, not list"):
        Response(301, {"Location": [b"/b.txt"]})


def test_the_length_is_compared_if_the_encoding_is_identity():
    headers = {"Content-Length": "1000", "Content-Encoding": "Identity"}
    _, found = in_turn(HOME + "a.txt", lambda request: Response(200, headers, b"https://example.com/1"), retries=0)
    assert "after 21 of 1000 bytes" in found.sitemaps[0].failure


@every_way
def test_a_body_is_closed_by_the_method_of_its_kind(way):
    called = []

    class Both:
        def __init__(self, body):
            self.read = io.BytesIO(body).read

        def close(self):
            called.append("close")

        async def aclose(self):
            called.append("aclose")

    way(HOME + "a.txt", lambda request: Response(200, {}, Both(b"https://example.com/1")))
    assert called == ["aclose" if way is with_tasks else "close"]
    with pytest.raises(TypeError, match="close must be a function, not int"):
        Response(200, close=5)


@every_way
def test_numbers_can_be_those_of_other_libraries(way):
    class Number:
        def __init__(self, value):
            self.value = value

        def __index__(self):
            return self.value

    pages, _ = way(HOME, Site().fetch, jobs=Number(1), max_pages=Number(3))
    assert len(pages) == 3


def test_none_is_not_the_end_of_an_async_body():
    class Stream:
        async def read(self, size):
            return None

    async def parts():
        yield b"https://example.com/1\n"
        yield None

    async def main(body):
        async def fetch(request):
            return Response(200, {}, body)

        return [page async for page in crawl_async(HOME + "a.txt", fetch)]

    for body in (Stream(), parts(), [b"https://example.com/1\n", None]):
        with pytest.raises(TypeError, match="must be bytes, not NoneType"):
            asyncio.run(main(body))


def test_an_async_function_is_sent_to_crawl_async():
    with pytest.raises(TypeError, match="not coroutine; with an async function, use crawl_async"):
        in_turn(HOME, Site().fetch_async)


def test_a_response_of_a_wrong_type():
    for wrong, text in (
        ({"status": 99}, "status must be a number from 100 to 999"),
        ({"status": "200"}, "status must be"),
    ):
        with pytest.raises(ValueError, match=text):
            Response(**wrong)
    for returned, text in (
        (None, "fetch must return a quick_sitemap.Response, not NoneType"),
        (Response(200, body="text"), "must be bytes, not str"),
        (Response(200, body=["text"]), "must be bytes, not str"),
        (Response(200, body=1), "must be bytes, a file object or an iterable of bytes, not int"),
    ):
        for way in (in_turn, with_threads):
            with pytest.raises(TypeError, match=text):
                way(HOME, lambda request: returned)
    with pytest.raises(ValueError, match="final_url `words` is not an absolute URL"):
        in_turn(HOME, lambda request: Response(200, final_url="words"))
    with pytest.raises(TypeError, match="in an async function, not int"):
        with_tasks(HOME, lambda request: 1)


def test_a_response_of_a_client_names_the_function_to_use():
    httpx = pytest.importorskip("httpx")
    text = r"must return a quick_sitemap.Response, not httpx.Response; quick_sitemap.fetch.httpx\(\) returns such a function"
    with pytest.raises(TypeError, match=text):
        in_turn(HOME, lambda request: httpx.Response(200))


@every_way
def test_an_exception_of_fetch_is_retried(way, clock):
    attempts = []

    def fetch(request):
        attempts.append(request.attempt)
        if request.attempt < 3:
            raise OSError("no route to https://user:word@example.com/\r\n")
        return Response(200, body=b"https://example.com/1")

    pages, found = way(HOME + "a.txt", fetch)
    assert len(pages) == 1 and attempts == [1, 2, 3] and found.summary.failed == 0
    assert len(clock.slept) == 2 and 0.25 <= clock.slept[0] <= 0.5 <= clock.slept[1] <= 1

    attempts.clear()
    pages, found = way(HOME + "a.txt", fetch, retries=1)
    assert pages == [] and attempts == [1, 2]
    [sitemap] = found.sitemaps
    assert sitemap.failure == r"OSError: no route to https://***@example.com/\r\n"


@every_way
def test_a_body_that_breaks_off_is_requested_again(way):
    """The pages come once, whether the client raises an exception or only returns less than was announced."""
    whole = urlset(HOME, "a", 3000)

    def cut(request):
        if request.attempt == 2:
            return Response(200, {"Content-Length": str(len(whole))}, whole)
        return broken()

    for broken in (
        lambda: Response(200, {}, Body(whole[:90_000], ConnectionResetError("gone"))),
        lambda: Response(200, {"Content-Length": str(len(whole))}, whole[:90_000]),
    ):
        pages, found = way(HOME + "a.xml", cut)
        assert [page.loc for page in pages] == [f"{HOME}a/{n}" for n in range(3000)]
        assert found.coverage == "complete" and found.summary.pages == 3000
    # The length is that of the gzipped body, which the client has unpacked.
    headers = {"Content-Length": "1000000", "Content-Encoding": "gzip"}
    pages, found = way(HOME + "a.xml", lambda request: Response(200, headers, whole))
    assert found.coverage == "complete"


def test_what_is_remembered_of_a_broken_body_is_bounded():
    """A million pages. Those after them are returned again by the next attempt."""
    body = b"".join(b"http://a.a/%d\n" % n for n in range(1_010_000))
    whole = {"Content-Length": str(len(body) + 1)}
    pages = crawl("http://a.a/a.txt", lambda request: Response(200, whole if request.attempt == 1 else {}, body))
    assert sum(1 for _ in pages) == 1_020_000 and pages.summary.pages == 1_010_000


def test_retry_after_and_delay(clock):
    site = iter([Response(503, {"Retry-After": "7"}), Response(200, body=b"https://example.com/1")])
    assert len(list(crawl(HOME + "a.txt", lambda request: next(site)))) == 1
    assert [round(seconds) for seconds in clock.slept] == [7]
    clock.slept.clear()
    busy = lambda request: Response(503, {"Retry-After": "61"})
    [sitemap] = in_turn(HOME + "a.txt", busy)[1].sitemaps
    assert sitemap.failure == "status 503, retry after 61 s" and clock.slept == []
    in_turn(HOME, lambda request: Response(404), delay=3)
    assert [round(seconds) for seconds in clock.slept] == [3] * 7


@every_way
def test_sitemaps_to_read(way):
    asked = []

    def wanted(sitemap):
        asked.append(sitemap)
        return sitemap.lastmod is None or sitemap.lastmod >= datetime(2025, 1, 1, tzinfo=timezone.utc)

    body = f"""<sitemapindex xmlns='{NS}'>
      <sitemap><loc>{HOME}old.txt</loc><lastmod>2024-12-31</lastmod></sitemap>
      <sitemap><loc>{HOME}new.txt</loc><lastmod>2025-01-01</lastmod></sitemap></sitemapindex>""".encode()
    site = {HOME + "index.xml": body, HOME + "new.txt": b"https://example.com/1"}
    pages, found = way(HOME + "index.xml", lambda request: Response(200, body=site[request.url]), select=wanted)
    assert len(pages) == 1 and [sitemap.url for sitemap in asked] == [HOME + "old.txt", HOME + "new.txt"]
    assert all(isinstance(sitemap, quick_sitemap.Sitemap) for sitemap in asked)
    assert [(left_out.reason, left_out.count) for left_out in found.summary.left_out] == [("rejected", 1)]


@every_way
def test_an_exception_of_the_function_sitemaps_ends_the_crawl(way):
    site = Site()
    called = []

    def wanted(sitemap):
        called.append(sitemap.url)
        raise LookupError("no such thing")

    with pytest.raises(LookupError, match="no such thing"):
        way(HOME, site.fetch, select=wanted)
    assert len(called) == 1
    with pytest.raises(TypeError, match="select must be a function"):
        crawl(HOME, site.fetch, select=1)


def test_the_function_sitemaps_can_look_at_the_crawl():
    site = Site()
    found = crawl(HOME, site.fetch, select=lambda sitemap: found.summary.sitemaps)
    check(site, list(found), found)


@every_way
def test_bounds(way):
    def locs(**options):
        pages, found = way(HOME, Site().fetch, **options)
        return len(pages), {left_out.reason: left_out.count for left_out in found.summary.left_out}, found

    count, left_out, _ = locs(max_depth=2)
    # Two of the four that are listed too deep are read, because an index or a redirect leads there at a lower depth.
    assert count == 40 and left_out["too-deep"] == 4
    count, _, found = locs(max_pages=7)
    assert count == 7 and found.summary.has_more_pages and found.coverage == "incomplete"
    count, left_out, found = locs(max_sitemaps=3)
    assert found.summary.has_more_sitemaps and found.summary.sitemaps == 3
    summary = locs(max_bytes=200)[2].summary
    assert summary.pages < 62 and summary.failed > 0
    elsewhere = []

    def fetch(request):
        if request.url.startswith("https://elsewhere.example/"):
            elsewhere.append(request.url)
            return Response(404)
        return Site().fetch(request)

    for options in ({"any_host": True}, {"hosts": ["elsewhere.example"]}):
        way(HOME, fetch, retries=0, **options)
        assert elsewhere.pop() == "https://elsewhere.example/x.xml" and elsewhere == []
    other = {"a.txt": "b.txt", "b.txt": "a.txt"}
    to_http = lambda request: Response(301, {"Location": "http://example.com/" + other[request.url[-5:]]})
    assert way(HOME + "a.txt", to_http)[1].sitemaps[0].failure == "a redirect from https to http"
    assert "a loop of redirects" in way(HOME + "a.txt", to_http, allow_downgrade=True)[1].sitemaps[0].failure


@pytest.mark.parametrize(("options", "error", "text"), [
    ({"max_depth": 0}, ValueError, "max_depth must be from 1 to 65,535, not 0"),
    ({"max_sitemaps": 0}, ValueError, "max_sitemaps"),
    ({"max_pages": -1}, ValueError, "max_pages"),
    ({"max_bytes": 1.5}, TypeError, "max_bytes must be an int, not float"),
    ({"retries": 101}, ValueError, "retries"),
    ({"delay": -1}, ValueError, "delay must be a number of seconds"),
    ({"delay": float("nan")}, ValueError, "delay"),
    ({"max_retry_after": float("inf")}, ValueError, "max_retry_after"),
    ({"max_pages": True}, TypeError, "max_pages must be an int, not bool"),
    ({"delay": "1"}, TypeError, "delay must be a number of seconds, not str"),
    ({"delay": None}, TypeError, "delay must be a number of seconds, not NoneType"),
    ({"delay": float("inf")}, ValueError, "delay must be a number of seconds from 0 to 1,000,000,000, not inf"),
    ({"any_host": 1}, TypeError, "any_host must be True or False, not int"),
    ({"delays": 5}, TypeError, "delays must be a mapping of hosts to seconds, not int"),
    ({"delays": {"example.com": -1}}, ValueError, r"delays\['example.com'\] must be a number of seconds"),
    ({"delays": {"example.com/": 1}}, ValueError, "delays: `example.com/` is not a host"),
    ({"max_children": -1}, ValueError, "max_children must be from 0"),
    ({"known": []}, TypeError, "known must be a mapping of URLs to texts of Crawl.known, not list"),
    ({"headers": "a: b"}, TypeError, "headers must be a mapping of names to values, not str"),
    ({"on_error": "row"}, ValueError, "on_error must be 'raise' or 'warn', not 'row'"),
    ({"on_progress": 1}, TypeError, "on_progress must be a function of a Progress"),
    ({"hosts": None}, TypeError, "hosts must be a list of hosts, not NoneType"),
    ({"hosts": b"example.com"}, TypeError, "hosts must be a list of hosts, not bytes"),
    ({"hosts": [b"example.com"]}, TypeError, "hosts must be a list of str, not of bytes"),
    ({"hosts": ["*.example.com"]}, ValueError, "is not a host"),
    ({"hosts": "example.com"}, TypeError, "hosts must be a list of hosts"),
    ({"hosts": ["https://example.com/"]}, ValueError, "is not a host such as"),
    ({"hosts": ["example.com:port"]}, ValueError, "is not a host"),
    ({"delays": {"example.com:80": 1}}, ValueError, "is not a host"),
    ({"hosts": [""]}, ValueError, "is not a host"),
    ({"jobs": 0}, ValueError, "jobs must be from 1 to 1,000, not 0"),
    ({"jobs": 2.0}, TypeError, "jobs must be an int, not float"),
    ({"jobs": True}, TypeError, "jobs must be an int, not bool"),
    ({"resume": "{}"}, ValueError, "resume is not what Crawl.save"),
    ({"site": "words"}, ValueError, "the site `words`: not a host such as example.com"),
    ({"site": "example.com/shop"}, ValueError, "a site has no path and no query; a sitemap is named by its URL"),
    ({"site": "ftp://user:word@example.com/"}, ValueError, r"`ftp://\*\*\*@example.com/`: the scheme of a site is http or https"),
    ({"fetch": 5}, TypeError, "fetch must be"),
])
def test_arguments(options, error, text):
    for function in (crawl, crawl_async, crawl_table):
        with pytest.raises(error, match=text):
            function(**{"site": HOME, "fetch": Site().fetch, **options})


def test_what_is_missing_is_a_warning():
    def warned(site, fetch, **options):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            list(crawl(site, fetch, **{**LENIENT, **options}))
        assert all(warning.filename == __file__ for warning in found)
        return [str(warning.message) for warning in found if warning.category is IncompleteCrawlWarning]

    assert warned(HOME, Site().fetch) == [
        "not all pages were found: 1 of 8 sitemaps failed (the first is https://example.com/lost.xml: status 404); "
        "1 sitemap was left out (other-host, such as https://elsewhere.example/x.xml)"
    ]
    assert warned(HOME, lambda request: Response(404)) == ["not all pages were found: no sitemap was found"]

    [text] = warned(HOME, raising(NameError("name 'x' is not defined")))
    assert "robots.txt could not be read (NameError: name 'x' is not defined)" in text
    # There is no warning about bounds that the caller has set.
    assert warned(HOME + "a.xml", Site().fetch, max_pages=3) == []
    assert warned(HOME + "index.xml", Site().fetch, select=lambda sitemap: sitemap.url.endswith("a.xml")) == []
    assert warned(HOME + "a.xml", Site().fetch) == []


@every_way
def test_issues(way):
    body = urlset_of("<url/><url><loc>https://example.com/a</loc><priority>9</priority></url><url><loc>https://</loc></url>")
    pages, found = way(HOME + "a.xml", lambda request: Response(200, body=body))
    assert [issue.rule for issue in pages[0].issues] == ["missing-loc", "invalid-priority"]
    assert [issue.rule for issue in found.issues] == ["missing-loc", "invalid-priority", "invalid-url"]
    assert {issue.sitemap for issue in found.issues} == {HOME + "a.xml"}
    assert found.summary.skipped == 2 and found.coverage == "incomplete"
    many = urlset_of("<url/>" * 3000)
    assert len(way(HOME + "a.xml", lambda request: Response(200, body=many))[1].issues) == 1000


@every_way
@pytest.mark.parametrize(
    "start, robots, is_outside",
    [
        # The robots.txt of the site names a sitemap, or an index that lists one, on another host.
        ("https://a.example/", {"https://a.example": "https://b.example/s.xml"}, False),
        ("https://a.example/", {"https://a.example": "https://b.example/i.xml"}, False),
        # Another port, and another scheme, are other sites.
        ("https://a.example/", {"https://a.example": "https://a.example:8443/s.xml"}, False),
        ("http://a.example/", {"http://a.example": "http://a.example/s.xml"}, True),
        # The site of the sitemap names it, and that of the page does not.
        ("https://b.example/", {"https://b.example": "https://b.example/s.xml"}, True),
        ("https://b.example/s.xml", {}, True),
        # Its own pages, in any folder if robots.txt names it.
        ("https://a.example/", {"https://a.example": "https://a.example/deep/s.xml"}, False),
        ("https://a.example/deep/s.xml", {}, True),
    ],
)
def test_which_site_may_be_listed(way, start, robots, is_outside):
    def fetch(request):
        site, _, name = request.url.rpartition("/")
        if name == "robots.txt":
            return Response(200, body=f"Sitemap: {robots[site]}\n".encode()) if site in robots else Response(404)
        if name == "i.xml":
            return Response(200, body=index(f"{site}/s.xml"))
        if name == "s.xml":
            return Response(200, body=urlset_of("<url><loc>https://a.example/page</loc></url>"))
        return Response(404)

    pages, found = way(start, fetch)
    assert [page.loc for page in pages] == ["https://a.example/page"]
    assert [issue.rule for issue in found.issues] == ["outside-location"] * is_outside


@every_way
@pytest.mark.parametrize(
    "part, options, is_read",
    [
        ("https://www.a.example/s.xml", {}, True),
        ("http://a.example/s.xml", {}, True),
        # Another port is another host.
        ("https://a.example:8443/s.xml", {}, False),
        ("https://a.example:8443/s.xml", {"hosts": ["a.example:8443"]}, True),
        ("https://a.example:8443/s.xml", {"hosts": ["a.example"]}, False),
        ("https://a.example:8443/s.xml", {"any_host": True}, True),
    ],
)
def test_which_part_is_read(way, part, options, is_read):
    def fetch(request):
        listed = {"https://a.example/i.xml": index(part), part: urlset_of("<url><loc>https://a.example/page</loc></url>")}
        body = listed.get(request.url)
        return Response(404) if body is None else Response(200, body=body)

    pages, found = way("https://a.example/i.xml", fetch, **options)
    assert len(pages) == is_read
    assert found.coverage == ("complete" if is_read else "incomplete")


def test_save_and_resume():
    """A crawl that is saved between two pages, at any place, finds each page in one of its two parts."""
    every = {page.loc for page in in_turn(HOME, Site().fetch)[0]}
    for count in range(0, 63, 3):
        before = crawl(HOME, Site().fetch)
        first = list(itertools.islice(before, count))
        saved = before.save()
        before.close()
        site = Site()
        second, found = in_turn(HOME, site.fetch, resume=saved)
        assert {page.loc for page in first} | {page.loc for page in second} == every
        assert json.loads(saved)["crawl"].startswith("quick-sitemap crawl") and "word" not in saved
        assert count < 21 or site.requested["/a.xml"] == 0
        assert found.summary.pages == 62
    with pytest.raises(ValueError, match="the saved crawl is one of https://example.com/"):
        crawl("https://example.org/", Site().fetch, resume=saved)


@every_way
def test_a_sitemap_that_has_not_changed(way):
    """It is unchanged. A 304 has no body, so one that the caller adds is ignored."""
    url = HOME + "a.txt"
    headers = {"ETag": '"7"', "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"}
    body = b"https://example.com/1"
    _, found = way(url, lambda request: Response(200, headers, body))
    known = found.known
    assert list(known) == [url] and '"7"' in known[url]
    requests = []

    def fetch(request):
        requests.append(request)
        return Response(304, {"ETag": '"7"'}, kept)

    kept = b""
    pages, found = way(url, fetch, known=known)
    assert pages == [] and found.sitemaps[0].state == "unchanged" and found.coverage == "unknown"
    assert requests[0].headers == {"If-None-Match": '"7"', "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"}
    assert list(found.known) == [url]
    kept = body
    pages, found = way(url, fetch, known=known)
    assert pages == [] and found.sitemaps[0].state == "unchanged"
    # Other sitemaps are unknown, and were not requested.
    pages, found = way(HOME + "b.txt", fetch, known=known)
    assert requests[-1].headers == {} and found.sitemaps[0].cause == "status"


@every_way
def test_an_exception_of_what_is_known_ends_the_crawl(way):
    class Broken(dict):
        def get(self, url):
            raise LookupError("the store is gone")

    with pytest.raises(LookupError, match="the store is gone"):
        way(HOME, Site().fetch, known=Broken())
    with pytest.raises(TypeError):
        way(HOME + "a.txt", Site().fetch, known={HOME + "a.txt": 7})
    # What a later version has written is not known.
    found = way(HOME + "a.xml", Site().fetch, known={HOME + "a.xml": "quick-sitemap known 99"})[1]
    assert found.summary.done == 1


def as_rows(site, fetch, **options):
    return list(crawl_table(site, fetch, **options)), None


@pytest.mark.parametrize("way", [in_turn, with_threads, with_tasks, as_rows])
def test_a_site_of_which_nothing_is_read_raises(way):
    for site, fetch, kind, text in (
        (HOME, raising(ConnectionRefusedError("refused")), "robots", "robots.txt could not be read (ConnectionRefusedError: refused)"),
        (HOME, lambda request: Response(404), "no-sitemap", "no sitemap was found"),
        (HOME + "a.xml", lambda request: Response(503), "status", "status 503"),
        (HOME + "a.xml", lambda request: Response(200, body=b"<html/>"), "unreadable", "root element"),
    ):
        with pytest.raises(quick_sitemap.CrawlError) as raised:
            way(site, fetch, retries=0, on_error="raise")
        assert (raised.value.kind, raised.value.source) == (kind, site)
        assert text in str(raised.value) and str(raised.value).startswith(f"{site}: ")
        copied = pickle.loads(pickle.dumps(raised.value))
        assert (copied.kind, copied.source, str(copied)) == (kind, site, str(raised.value))
        way(site, fetch, retries=0, on_error="warn")
    # A part is there.
    way(HOME, Site().fetch, on_error="raise")
    way(HOME + "a.xml", lambda request: Response(200, body=urlset_of("")), on_error="raise")


@pytest.mark.parametrize(
    "response, reason",
    [
        (Response(404), None),
        (Response(410), None),
        (Response(403), "status 403"),
        (Response(200, body=b"<!doctype html><title>Log in</title>"), "it is an HTML page"),
        (Response(302, {"Location": "/robots.txt"}), "a loop of redirects"),
        (Response(301), "a redirect without a Location that is an http or https URL"),
    ],
)
def test_an_absent_robots_txt_is_told(response, reason):
    site = {"robots": response, "guess": Response(404)}
    pages = crawl(HOME, lambda request: site[request.kind], on_error="warn")
    assert list(pages) == [] and pages.summary.robots_failure == reason
    with pytest.raises(quick_sitemap.CrawlError) as raised:
        list(crawl(HOME, lambda request: site[request.kind]))
    assert raised.value.kind == "no-sitemap"
    told = "" if reason is None else f" (robots.txt: {reason})"
    assert str(raised.value) == f"{HOME}: no sitemap was found{told}"
    # The usual places are tried.
    site["guess"] = Response(200, body=urlset(HOME, "a", 1))
    found = crawl(HOME, lambda request: site[request.kind])
    assert len(list(found)) == 1 and found.summary.robots_failure == reason


def test_a_login_goes_to_the_origin_of_the_site_only():
    requests = []
    site = {HOME + "robots.txt": b"Sitemap: https://cdn.example.net/a.txt\nSitemap: /b.txt\nSitemap: http://example.com/c.txt"}

    def fetch(request):
        requests.append(request)
        if request.url == HOME + "b.txt":
            return Response(302, {"Location": "https://cdn.example.net/d.txt"})
        return Response(200, body=site.get(request.url, b"https://example.com/1"))

    in_turn("https://me:p%40ss@example.com/", fetch, headers={"X-Key": "k"})
    own = {"Authorization": "Basic bWU6cEBzcw==", "X-Key": "k"}
    sent = {request.url: request.headers for request in requests}
    assert sent == {
        HOME + "robots.txt": own,
        HOME + "b.txt": own,
        "https://cdn.example.net/a.txt": {},
        "https://cdn.example.net/d.txt": {},
        "http://example.com/c.txt": {},
    }
    with pytest.raises(ValueError, match="pass it as `headers` of the crawl"):
        quick_sitemap.fetch.urllib(headers={"authorization": "Basic x"})


@every_way
def test_progress(way, monkeypatch):
    monkeypatch.setattr(_crawling, "INTERVAL", 0)
    seen = []
    pages, found = way(HOME, Site().fetch, on_progress=seen.append)
    assert seen[-1].files == found.summary.done + found.summary.failed and seen[-1].entries == len(pages)
    assert [progress.files for progress in seen] == sorted(progress.files for progress in seen) and len(seen) > 8
    assert seen[-1].bytes == found.summary.bytes and {progress.source for progress in seen} >= {HOME + "a.xml"}

    with pytest.raises(LookupError, match="enough"):
        way(HOME, Site().fetch, on_progress=raising(LookupError("enough")))


def test_a_crawl_delay_is_kept(clock):
    site = {HOME + "robots.txt": b"User-agent: *\nCrawl-delay: 2\nUser-agent: slow\nCrawl-delay: 100\nSitemap: /a.txt"}
    fetch = lambda request: Response(200, body=site.get(request.url, b"https://example.com/1"))
    for options, delay in (({}, 2), ({"user_agent": "Slow/1.0"}, 30), ({"delay": 3}, 3)):
        clock.slept.clear()
        _, found = in_turn(HOME, fetch, **options)
        assert found.summary.crawl_delay == delay and [round(seconds) for seconds in clock.slept] == [delay]


def test_delays_of_hosts(clock):
    site = {HOME + "index.xml": index(*(f"{HOME}{n}.txt" for n in range(4)))}
    fetch = lambda request: Response(200, body=site.get(request.url, b"https://example.com/1"))
    in_turn(HOME + "index.xml", fetch, delays={"example.com": 5, "example.org": 100})
    assert [round(seconds) for seconds in clock.slept] == [5] * 4


def test_a_failure_that_will_not_pass_is_not_retried():
    import socket
    import ssl

    for error, cause, attempts in (
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "permanent", 1),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), "connection", 3),
        (ssl.SSLCertVerificationError("certificate has expired"), "permanent", 1),
        (ConnectionResetError("reset"), "connection", 3),
    ):
        requested = []

        def fetch(request):
            requested.append(request)
            try:
                raise error
            except OSError as cause:
                # As clients wrap it.
                raise RuntimeError("request failed") from cause

        _, found = in_turn(HOME + "a.txt", fetch, retries=2)
        assert (found.sitemaps[0].cause, len(requested)) == (cause, attempts), error
        assert found.sitemaps[0].failure == "RuntimeError: request failed"


@every_way
def test_an_exception_of_close_is_ignored(way):
    answer = Response(200, body=b"https://example.com/1", close=raising(OSError("already closed")))
    pages, found = way(HOME + "a.txt", lambda request: answer)
    assert len(pages) == 1 and found.summary.failed == 0


@every_way
def test_a_body_without_an_end(way):
    chunk = b"https://example.com/a\n" * 10_000
    body = Endless(chunk)
    _, found = way(HOME + "a.txt", lambda request: Response(200, {}, body), max_bytes=10 * len(chunk), retries=0)
    assert body.chunks == 11 and body.closed == 1
    assert found.summary.failed == 1 and found.sitemaps[0].failure == "100001:1: more bytes than max_bytes allows"
    # A response that is not a sitemap is not read further, and neither is the body of an error.
    body = Endless(b"<html><body>" * 10_000)
    way(HOME + "a.txt", lambda request: Response(200, {}, body))
    assert body.chunks <= 2 and body.closed == 1
    body = Endless(chunk)
    way(HOME + "a.txt", lambda request: Response(404, {}, body))
    assert body.chunks == 0 and body.closed == 1
    # A robots.txt is read up to 8 MiB.
    body = Endless(b"# words\n" * 10_000)
    way(HOME, lambda request: Response(200 if request.kind == "robots" else 404, {}, body))
    assert body.chunks == 105


class Allocated:
    """The most bytes that Python has had allocated at a time, which include pages."""

    def __enter__(self):
        gc.collect()
        tracemalloc.start()
        return self

    def __exit__(self, *error):
        self.most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()


def test_one_chunk_that_is_large_is_not_decoded_at_once():
    chunk = b"https://example.com/a\n" * 100_000
    pages = crawl(HOME + "a.txt", lambda request: Response(200, {}, [chunk]))
    with Allocated() as some:
        next(pages)
    with Allocated() as all:
        kept = list(pages)
    assert len(kept) == 99_999 and some.most * 20 < all.most


@pytest.mark.parametrize("way", ["in turn", "threads", "tasks"])
def test_many_sitemaps_do_not_grow_memory(way):
    """A thousand sitemaps of a hundred pages need hardly more than a hundred of them."""

    def fetch(request):
        if request.url == HOME + "index.xml":
            return Response(200, body=index(*(f"{HOME}{n}.xml" for n in range(count))))
        return Response(200, body=urlset(HOME, "a", 100))

    async def fetch_async(request):
        return fetch(request)

    async def tasks():
        number = 0
        async for _ in crawl_async(HOME + "index.xml", fetch_async):
            number += 1
        return number

    def number():
        if way == "tasks":
            return asyncio.run(tasks())
        return sum(1 for _ in crawl(HOME + "index.xml", fetch, jobs=1 if way == "in turn" else 3))

    most = []
    for count in (100, 1000):
        with Allocated() as allocated:
            assert number() == 100 * count
        most.append(allocated.most)
    assert most[1] < 1.5 * most[0] + 300_000, most


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@every_way
def test_an_interrupt_is_no_failure(way, error):
    """Neither in fetch nor while a body is read: it ends the crawl at once."""
    requested = []

    def interrupted(request):
        requested.append(request.url)
        raise error

    with pytest.raises(error):
        way(HOME, interrupted)
    assert len(requested) == 1
    body = Body(b"https://example.com/1\n", error())
    with pytest.raises(error):
        way(HOME + "a.txt", lambda request: Response(200, {}, body))
    assert body.reads == 2 and body.closed


@pytest.fixture
def interruptible():
    """Ctrl-C raises KeyboardInterrupt, even if the tests run in the background of a shell, which ignores the signal."""
    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, earlier)


def test_ctrl_c_ends_reading_and_waiting(monkeypatch, interruptible):
    """Counted, not timed: after the signal no chunk is read, and no second slice is waited."""
    body = Endless(b"<!-- nothing -->" * 2000)

    def interrupt(chunk):
        if body.chunks == 5:
            signal.raise_signal(signal.SIGINT)
        return chunk

    parts = (interrupt(chunk) for chunk in body)
    with pytest.raises(KeyboardInterrupt):
        in_turn(HOME + "a.xml", lambda request: Response(200, {}, parts))
    assert body.chunks == 5

    # Threads that hang in the client do not keep the caller.
    hanging, released = threading.Event(), threading.Event()
    closed = []

    def hang(request):
        if request.kind == "robots":
            return Response(200, body=index(), close=None)
        hanging.set()
        released.wait(60)
        return Response(200, close=lambda: closed.append(True))

    class Slices:
        """Interrupts the first wait of the main thread after a client hangs."""

        def __init__(self, queue):
            self.queue = queue
            self.waits = 0

        def __getattr__(self, name):
            return getattr(self.queue, name)

        def get(self, timeout):
            assert timeout <= 0.1
            if hanging.is_set():
                self.waits += 1
                signal.raise_signal(signal.SIGINT)
            return self.queue.get(timeout=timeout)

    slices = []
    queue = _crawl.queue.Queue

    def made(size):
        slices.append(Slices(queue(size)))
        return slices[0]

    monkeypatch.setattr(_crawl.queue, "Queue", made)
    try:
        with pytest.raises(KeyboardInterrupt):
            with_threads(HOME, hang)
        assert slices[0].waits == 1
    finally:
        released.set()


def test_closing():
    """Everything that is open is closed when the crawl is closed, left, or no longer used, and no thread stays."""
    def bodies(made):
        def fetch(request):
            made.append(Endless(b"https://example.com/1\n" * 100))
            return Response(200, {}, made[-1])

        return fetch

    made = []
    pages = crawl(HOME + "a.txt", bodies(made))
    next(pages)
    pages.close()
    assert made[0].closed == 1 and list(pages) == [] and pages.coverage == "unknown"

    made = []
    with crawl(HOME + "a.txt", bodies(made)) as pages:
        next(pages)
    assert made[0].closed == 1

    made = []
    for _ in crawl(HOME + "a.txt", bodies(made)):
        break
    assert made[0].closed == 1

    for leave in (lambda pages: pages.close(), lambda pages: None):
        made = []
        before = set(threading.enumerate())
        pages = crawl(HOME + "a.txt", bodies(made), jobs=3)
        next(pages)
        gone = weakref.ref(pages)
        threads = set(threading.enumerate()) - before
        assert threads
        leave(pages)
        del pages
        assert gone() is None
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
        assert [body.closed for body in made] == [1]

    # Never begun.
    crawl(HOME, bodies([])).close()


def test_cancelling():
    """A task that is cancelled, a loop that is left, and aclose() cancel all requests and close all responses."""
    class Hanging(Endless):
        def __init__(self, all):
            super().__init__(b"https://example.com/1\n" * 100)
            all.append(self)

        async def read(self, size):
            if self.chunks:
                await asyncio.Event().wait()
            return next(self)

        async def aclose(self):
            await asyncio.sleep(0)
            self.close()

    def fetch_of(made, begun):
        async def fetch(request):
            if request.url == HOME + "index.xml":
                return Response(200, body=index(*(f"{HOME}{n}.txt" for n in range(6))))
            if request.url == HOME + "0.txt":
                try:
                    await asyncio.Event().wait()
                finally:
                    begun.append("cancelled")
            return Response(200, {}, Hanging(made))

        return fetch

    async def cancelled():
        made, begun, seen = [], [], []

        async def consume():
            async for page in crawl_async(HOME + "index.xml", fetch_of(made, begun), jobs=4):
                seen.append(page)

        task = asyncio.create_task(consume())
        while len(seen) < 300:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [body.closed for body in made] == [1, 1, 1] and begun == ["cancelled"]
        assert asyncio.all_tasks() == {asyncio.current_task()}

    async def closed():
        made, begun = [], []
        async with crawl_async(HOME + "index.xml", fetch_of(made, begun), jobs=4) as pages:
            await anext(pages)
        assert all(body.closed == 1 for body in made) and begun in ([], ["cancelled"])
        assert asyncio.all_tasks() == {asyncio.current_task()}
        with pytest.raises(StopAsyncIteration):
            await anext(pages)

    async def left():
        made, begun = [], []
        async for _ in crawl_async(HOME + "index.xml", fetch_of(made, begun), jobs=4):
            break
        for _ in range(20):
            await asyncio.sleep(0)
        assert made and all(body.closed == 1 for body in made)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    for way in (cancelled, closed, left):
        asyncio.run(way())

    async def cancels_itself(request):
        asyncio.current_task().cancel()
        await asyncio.sleep(0)

    async def main():
        return [page async for page in crawl_async(HOME, cancels_itself)]

    with pytest.raises(RuntimeError, match="was cancelled"):
        asyncio.run(main())


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_jobs(jobs):
    """As many requests as jobs are at work, not more; each of them waits for the others."""
    for way in (with_threads, with_tasks):
        site = index(*(f"{HOME}{n}.txt" for n in range(20)))
        lock, active, most = threading.Lock(), 0, 0
        barrier = threading.Barrier(jobs) if way is with_threads else None

        def fetch(request):
            nonlocal active, most
            if request.url.endswith("index.xml"):
                return Response(200, body=site)
            with lock:
                active += 1
                most = max(most, active)
            if barrier and jobs != 1:
                barrier.wait(60)

            def close():
                nonlocal active
                with lock:
                    active -= 1

            return Response(200, body=[b"https://example.com/1\n"], close=close)

        pages, _ = way(HOME + "index.xml", fetch, jobs=jobs)
        assert len(pages) == 20 and active == 0
        assert most == jobs or way is with_tasks and 1 <= most <= jobs


def test_the_crawl_of_the_readme(capsys):
    with serving() as site:
        exec(readme_block("pages.summary.left_out").replace("https://example.com/", site.home), {})
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == 65
        assert lines[62] == f"{site.home}lost.xml status 404"
        assert lines[63:] == ["1 other-host ('https://elsewhere.example/x.xml',)", "incomplete"]


def test_the_fetch_of_the_readme():
    """A function of one's own, with a client that has none in quick_sitemap.fetch."""
    pytest.importorskip("urllib3", reason="!! urllib3 is not there: the function in the README was NOT tested")
    found = {}
    exec(readme_block("# urllib3\n"), found)
    with serving() as site:
        check(site, *in_turn(site.home, found["fetch"], jobs=4))


def test_the_async_client_of_the_readme(capsys):
    pytest.importorskip("httpx", reason="!! httpx is not there: its async function in the README was NOT tested")
    with serving() as site:
        exec(readme_block("asyncio.run").replace("https://example.com/", site.home), {})
        lines = capsys.readouterr().out.splitlines()
        assert len(set(lines)) == 63 and lines[-1] == "incomplete"
