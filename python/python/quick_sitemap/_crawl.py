"""The crawl of a site, with functions and threads."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _native
from ._crawled import CrawlSummary, Sitemap
from ._crawling import Crawling, Feed, checked, chunks, closer
from ._exchange import Fetch, Request

if TYPE_CHECKING:
    from . import Page, _CrawlIssue

# The longest wait in one piece. Windows does not interrupt a wait for another thread.
SLICE = 0.1

# Sleeps until the next request. Ctrl-C ends it.
sleep = time.sleep


def crawl(
    site: str,
    fetch: Fetch,
    *,
    jobs: int = 1,
    sitemaps: Callable[[Page], object] | None = None,
    hosts: Iterable[str] = (),
    any_host: bool = False,
    downgrade: bool = False,
    max_sitemaps: int = 10_000,
    max_pages: int | None = None,
    max_depth: int = 3,
    max_bytes: int = 500 << 20,
    retries: int = 3,
    max_retry_after: float = 60,
    delay: float = 0,
    resume: str | None = None,
) -> Crawl:
    """Returns the pages of a site, as its sitemaps are read.

    `site` is the URL of a site, whose robots.txt lists the sitemaps, or of one sitemap or index. `fetch` is called with a
    Request and returns a Response; README.md has such functions for urllib, requests and httpx. If `fetch` raises an
    exception, or reading the body does, the sitemap is requested again, up to `retries` times; then it has failed. The
    crawl follows redirects itself, if the client does not.

    At the end, there is an IncompleteCrawlWarning if sitemaps could not be read. Crawl.summary contains the numbers,
    Crawl.sitemaps the state of each sitemap, and Crawl.issues the problems in them.

    jobs: how many sitemaps are fetched at the same time. With more than 1, `fetch` is called from that many threads.
    sitemaps: a function that gets each sitemap that an index lists, as a Page with `loc` and `lastmod`, and returns
    whether to read it. Its exceptions end the crawl.
    hosts: hosts that are trusted in addition to that of the site and those that its robots.txt names.
    any_host: whether to read sitemaps on all hosts.
    downgrade: whether to follow redirects from https to http.
    max_sitemaps, max_pages, max_depth: the largest number of sitemaps, of pages, and of levels of indexes.
    max_bytes: the largest number of bytes of each sitemap, as sent and unpacked.
    retries: how often a sitemap is requested again, 0 to 100. The first wait is at most half a second; each later one is
    twice as long, up to 30 seconds.
    max_retry_after: the longest time in seconds that a server can require before the next request.
    delay: seconds between two requests to one host.
    resume: the text that Crawl.save() returned for the same site. Sitemaps that were read to their end are not read again.

    >>> from quick_sitemap import Response, crawl
    >>> site = {
    ...     "https://example.com/robots.txt": b"Sitemap: /a.txt",
    ...     "https://example.com/a.txt": b"https://example.com/1\\nhttps://example.com/2",
    ... }
    >>> def fetch(request):
    ...     body = site.get(request.url)
    ...     return Response(404) if body is None else Response(200, body=body)
    >>> for page in crawl("https://example.com/", fetch):
    ...     print(page.loc, page.sitemap)
    https://example.com/1 https://example.com/a.txt
    https://example.com/2 https://example.com/a.txt
    """
    crawling = Crawling(**locals())
    return Crawl(crawling, _in_turn(crawling) if crawling.jobs == 1 else _with_threads(crawling))


class Crawl:
    """The pages of a site, from crawl(): an iterator, and a context manager that closes what is open.

    >>> from quick_sitemap import Response, crawl
    >>> with crawl("https://example.com/a.txt", lambda request: Response(200, body=b"https://example.com/a")) as pages:
    ...     [page.loc for page in pages]
    ['https://example.com/a']
    >>> pages.sitemaps[0].state
    'done'
    """

    # The pages are a generator that does not know this object, so that they are closed when it is no longer used.
    def __init__(self, crawling: Crawling, pages: Generator[Page, None, None]) -> None:
        self._crawling = crawling
        self._pages = pages

    @property
    def summary(self) -> CrawlSummary:
        """The numbers of what has been read and left out so far, and whether pages are missing."""
        return self._crawling.summary()

    @property
    def sitemaps(self) -> list[Sitemap]:
        """All known sitemaps and the state of each, in the order in which they were found."""
        return self._crawling.sitemaps()

    @property
    def issues(self) -> list[_CrawlIssue]:
        """The problems in the sitemaps that were read, at most 1,000: dicts like those of Pages.issues, with 'sitemap'."""
        return self._crawling.issues()

    def save(self) -> str:
        """Returns the progress of the crawl as JSON, for the argument `resume` of a later crawl.

        A sitemap has been read when the page after its last one is requested. The pages of all others are returned again. The URLs contain no user or password.

        >>> from quick_sitemap import Response, crawl
        >>> fetch = lambda request: Response(200, body=b"https://example.com/a")
        >>> pages = crawl("https://example.com/a.txt", fetch)
        >>> len(list(pages))
        1
        >>> list(crawl("https://example.com/a.txt", fetch, resume=pages.save()))
        []
        """
        return self._crawling.save()

    def close(self) -> None:
        """Ends the crawl and closes the response that is being read. With several jobs, each of the others is closed as
        soon as its `fetch` or its body returns. No more pages follow."""
        self._pages.close()

    def __iter__(self) -> Crawl:
        return self

    def __next__(self) -> Page:
        return next(self._pages)

    def __enter__(self) -> Crawl:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<quick_sitemap.Crawl, {self.summary.pages} pages in {self.summary.done} sitemaps so far>"


Crawl.__module__ = crawl.__module__ = "quick_sitemap"


def _receive(
    crawling: Crawling, ticket: _native.Ticket, request: Request
) -> Generator[list[Page], None, Callable[[], None]]:
    """Fetches a URL and yields its pages. Returns the function that ends it, to be called after the last page."""
    try:
        response = crawling.fetch(request)
    except Exception as error:
        return crawling.failing(ticket, error)
    response = checked(response, "")
    close = closer(response, "close")
    try:
        receiver = crawling.begin(ticket, response)
        if receiver.wants_more:
            yield from _read(Feed(response, receiver), receiver, response.body)
    finally:
        if close is not None:
            # It has been read, or has failed: closing it can add nothing.
            with suppress(Exception):
                close()
    return crawling.ending(receiver)


def _read(feed: Feed, receiver: _native.Receiver, body: Any) -> Iterator[list[Page]]:
    parts = chunks(body)
    while receiver.wants_more:
        try:
            chunk = next(parts)
        except StopIteration:
            if feed.is_unchanged:
                return
            yield from feed.end()
        except Exception as error:
            yield from feed.fail(error)
        else:
            yield from feed.push(chunk)


def _in_turn(crawling: Crawling) -> Generator[Page, None, None]:
    """One sitemap after the other, in this thread."""
    while not crawling.is_done():
        found = crawling.next_request()
        if found is None:
            sleep(crawling.wait() or 0)
            continue
        end = yield from _flat(_receive(crawling, *found))
        end()
    crawling.warn()


def _flat(
    batches: Generator[list[Page], None, Callable[[], None]],
) -> Generator[Page, None, Callable[[], None]]:
    try:
        while True:
            yield from next(batches)
    except StopIteration as stop:
        end: Callable[[], None] = stop.value
        return end
    finally:
        batches.close()


def _with_threads(crawling: Crawling) -> Generator[Page, None, None]:
    """Several sitemaps at the same time. This thread distributes the requests and returns the pages."""
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    jobs = crawling.jobs
    events: queue.Queue[Any] = queue.Queue(jobs)
    closed = threading.Event()
    threads = active = 0
    try:
        while True:
            while active < jobs and (found := crawling.next_request()) is not None:
                active += 1
                requests.put(found)
                if threads < active:
                    threads += 1
                    # They end by themselves, so nothing waits for a client that hangs.
                    arguments = (crawling, requests, events, closed)
                    threading.Thread(target=_work, args=arguments, daemon=True).start()
            wait = crawling.wait()
            if active == 0:
                if crawling.is_done():
                    break
                sleep(wait or 0)
                continue
            # Requests that are due now have to wait for a thread.
            wait = SLICE if wait is None or active == jobs else min(wait, SLICE)
            try:
                event = events.get(timeout=wait)
            except queue.Empty:
                continue
            if isinstance(event, BaseException):
                raise event
            if isinstance(event, list):
                yield from event
            else:
                event()
                active -= 1
    finally:
        closed.set()
        for _ in range(threads):
            requests.put(None)
        # A thread that waits for room gets it, and adds no more than one event after this.
        while not events.empty():
            events.get_nowait()
    crawling.warn()


def _work(crawling: Crawling, requests: Any, events: Any, closed: threading.Event) -> None:
    """Fetches one URL after the other."""
    while (found := requests.get()) is not None and not closed.is_set():
        batches = _receive(crawling, *found)
        try:
            while not closed.is_set():
                events.put(next(batches))
        except StopIteration as end:
            events.put(end.value)
        except BaseException as error:
            events.put(error)
        finally:
            batches.close()
