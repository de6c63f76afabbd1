"""The crawl of a site, with functions and threads."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from . import _native
from ._native import COLUMNS, DEFAULT_COLUMNS, Entries, Page
from .crawling import Crawling, CrawlResult, Feed, checked, chunks, closer, made
from .exchange import Fetch, Request
from .options import CrawlOptions, Options, with_options
from .records import Row

if TYPE_CHECKING:
    # In typing from Python 3.11 on.
    from typing_extensions import Unpack

# The longest wait in one piece. Windows does not interrupt a wait for another thread.
SLICE = 0.1

# Sleeps until the next request. Ctrl-C ends it.
sleep = time.sleep

CrawlColumn = Literal[
    "sitemap",
    "kind",
    "loc",
    "lastmod",
    "changefreq",
    "priority",
    "error",
    "host",
    "lastmod_text",
    "alternates",
    "images",
    "videos",
    "news",
    "issues",
]


def _of_crawl(columns: Iterable[Any]) -> list[CrawlColumn]:
    return ["sitemap", *(column for column in columns if column not in ("source", "skipped"))]


# The columns of crawl_table(), and those by default.
CRAWL_COLUMNS = _of_crawl(COLUMNS)
DEFAULT_CRAWL_COLUMNS = _of_crawl(DEFAULT_COLUMNS)


@with_options
def crawl(
    site: str,
    fetch: Fetch | None = None,
    *,
    jobs: int = 1,
    **options: Unpack[Options],
) -> Crawl:
    """Returns the pages of a site, as its sitemaps are read.

    `site` is a host such as 'example.com', the URL of a site, whose robots.txt lists the sitemaps, or the URL of one
    sitemap or index. `fetch` is called with a Request and returns a Response. The default is
    quick_sitemap.fetch.urllib(); that module also has functions for requests, httpx and aiohttp. If `fetch` raises an
    exception, or reading the body does, the sitemap is requested again, up to `retries` times; then it has failed. The
    crawl follows redirects itself, if the client does not.

    At the end, there is an IncompleteCrawlWarning if sitemaps could not be read. Crawl.summary contains the numbers,
    Crawl.sitemaps the state of each sitemap, and Crawl.issues the problems in them.

    jobs: how many sitemaps are fetched at the same time. The program `sitemap` fetches 8. The default is 1, because with more,
    `fetch` is called from that many threads, and the pages of several sitemaps are mixed.
    select: a function that gets each sitemap that an index lists, as a Sitemap with `url` and `lastmod`, and returns
    whether to read it. Its exceptions end the crawl.
    hosts: hosts that are trusted in addition to that of the site and those that its robots.txt names, with their ports if these are
    not the default: 'example.com:8080'.
    any_host: whether to read sitemaps on all hosts.
    allow_downgrade: whether to follow redirects from https to http.
    ignore_robots: whether to look for sitemaps at the usual places even if robots.txt is not understood or its server fails.
    max_sitemaps, max_pages, max_depth: the largest number of sitemaps, of pages, and of levels of indexes.
    max_bytes: the largest number of bytes of each sitemap, as sent and unpacked. The default is 500 MiB.
    retries: how often a sitemap is requested again, 0 to 100. The first wait is at most half a second; each later one is
    twice as long, up to 30 seconds.
    max_retry_after: the longest time in seconds that a server can require before the next request.
    delay: seconds between two requests to one host.
    delays: the same for some hosts, such as the Crawl-delay of a robots.txt: {'example.com': 5}.
    max_children: the largest number of sitemaps that are read of one index.
    headers: headers of the requests to the origin of the site. A user and a password in its URL are sent as such a header. No
    other host gets them, even after a redirect.
    user_agent: the name of your crawler, such as 'my-crawler/1.0'. The default client sends it, and the Crawl-delay that
    robots.txt has for it is kept, up to 30 seconds. The default is 'quick-sitemap'.
    known: what is known of the sitemaps, from Crawl.known of an earlier crawl. The pages of a sitemap that has not changed are
    not returned, unless `fetch` returns the body that it has kept with the status 200. Crawl.gone then
    returns the sitemaps that are not listed any more.
    on_error: 'raise' (the default) raises CrawlError at the end if nothing could be read; with 'warn', there is only the
    warning.
    on_progress: a function that is called with a Progress at most ten times per second, and at the end. `files` are the
    sitemaps that have been read, and `source` is the URL that was requested last.
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

    A later crawl, whose sitemap has not changed, and one that goes on where the first one ended:

    >>> def fetch(request):
    ...     if request.headers.get("If-None-Match") == '"7"':
    ...         return Response(304)
    ...     return Response(200, {"ETag": '"7"'}, b"https://example.com/1")
    >>> first = crawl("https://example.com/a.txt", fetch)
    >>> len(list(first))
    1
    >>> second = crawl("https://example.com/a.txt", fetch, known=first.known)
    >>> list(second), second.sitemaps[0].state
    ([], 'unchanged')
    >>> list(crawl("https://example.com/a.txt", fetch, resume=first.save()))
    []
    """
    crawling, batches = _begin(site, fetch, jobs, options)
    return made(Crawl, _crawling=crawling, _pages=_pages(crawling, batches))


class Crawl(CrawlResult):
    """The pages of a site, from crawl(): an iterator, and a context manager that closes what is open.

    >>> from quick_sitemap import Response, crawl
    >>> with crawl("https://example.com/a.txt", lambda request: Response(200, body=b"https://example.com/a")) as pages:
    ...     [page.loc for page in pages]
    ['https://example.com/a']
    >>> pages.sitemaps[0].state
    'done'
    """

    if TYPE_CHECKING:
        # A generator that does not refer to this object, so that it is closed when this object is no longer used.
        _pages: Generator[Page, None, None]

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


@with_options
def crawl_table(
    site: str,
    fetch: Fetch | None = None,
    *,
    columns: Iterable[CrawlColumn] | None = None,
    batch_rows: int = 8192,
    string_views: bool = False,
    jobs: int = 1,
    **options: Unpack[Options],
) -> CrawlTable:
    """Returns the pages of a site as rows, for pyarrow, DuckDB, Polars, pandas and other Arrow engines.

    Nothing is fetched before rows are requested. They are returned in batches as they arrive, so memory does not grow
    with the site. Each sitemap that failed has a row with a message in `error` and the kind of the failure in `kind`
    after all other rows, and so has a robots.txt that could not be read. If `select` or a bound such as `max_pages` left
    something out, the last rows say so, with the kind 'left-out'. If nothing could be read, the engine raises an
    exception instead; with on_error='warn', such a site has only rows with `error`.

    columns: names from quick_sitemap.CRAWL_COLUMNS; None means quick_sitemap.DEFAULT_CRAWL_COLUMNS.
    batch_rows: the number of rows per batch.
    string_views: whether to lay text out as Polars prefers it.

    All other arguments are those of crawl().

    >>> from quick_sitemap import Response, crawl_table
    >>> site = {
    ...     "https://example.com/robots.txt": b"Sitemap: /a.txt\\nSitemap: /b.txt",
    ...     "https://example.com/a.txt": b"https://example.com/1",
    ... }
    >>> def fetch(request):
    ...     body = site.get(request.url)
    ...     return Response(404) if body is None else Response(200, body=body)
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     for row in crawl_table("example.com", fetch, columns=["sitemap", "loc", "error"]):
    ...         print(row)
    {'sitemap': 'https://example.com/a.txt', 'loc': 'https://example.com/1', 'error': None}
    {'sitemap': 'https://example.com/b.txt', 'loc': None, 'error': 'status 404'}
    """
    if isinstance(columns, str):
        raise TypeError("columns must be a list of names, not one text")
    names = list(DEFAULT_CRAWL_COLUMNS if columns is None else columns)
    for name in names:
        if name not in CRAWL_COLUMNS:
            raise ValueError(f"a crawl has no column {name!r}; its columns are {', '.join(CRAWL_COLUMNS)}")
    crawling, batches = _begin(site, fetch, jobs, options)
    crawling.stacklevel -= 1
    native = ["source" if name == "sitemap" else name for name in names]
    table = _native.crawl_table(_items(crawling, batches), native, batch_rows, string_views)
    return made(CrawlTable, _crawling=crawling, _table=table)


class CrawlTable(CrawlResult):
    """The rows of a crawl, from crawl_table(): an object with the methods of the Arrow PyCapsule interface.

    Pass it to pyarrow.table, polars.DataFrame, pandas.DataFrame.from_arrow or a DuckDB query. pandas.DataFrame takes it
    as well, row by row, which is slower: iterating over it returns each row as a dict. It can be read once.

    >>> from quick_sitemap import Response, crawl_table
    >>> table = crawl_table("https://example.com/a.txt", lambda request: Response(200, body=b"https://example.com/a"))
    >>> [row["loc"] for row in table], table.summary.pages
    (['https://example.com/a'], 1)
    """

    if TYPE_CHECKING:
        _table: _native.Table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns the rows as a capsule with an ArrowArrayStream, which engines call. A requested schema is ignored."""
        return self._table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Returns the schema as a capsule with an ArrowSchema, which engines call."""
        return self._table.__arrow_c_schema__()

    def __iter__(self) -> Iterator[Row]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __bool__(self) -> bool:
        return True

    def _repr_html_(self) -> str:
        return self._table._repr_html_()


for _object in (Crawl, CrawlTable, crawl, crawl_table):
    _object.__module__ = "quick_sitemap"


def _begin(
    site: str, fetch: Fetch | None, jobs: int, options: Options
) -> tuple[Crawling, Generator[Entries, None, None]]:
    checked_options = CrawlOptions(jobs, **options)
    if fetch is None:
        from quick_sitemap.fetch import urllib

        fetch = urllib(headers=checked_options.own_agent())
    crawling = Crawling(site, fetch, checked_options)
    return crawling, _in_turn(crawling) if crawling.jobs == 1 else _with_threads(crawling)


def _pages(crawling: Crawling, batches: Generator[Entries, None, None]) -> Generator[Page, None, None]:
    try:
        for entries in batches:
            yield from entries.pages()
            crawling.report()
    finally:
        batches.close()


def _items(crawling: Crawling, batches: Generator[Entries, None, None]) -> Iterator[Entries | tuple[str, str, str]]:
    for entries in batches:
        yield entries
        crawling.report()
    yield from crawling.errors()
    yield from crawling.left_out()


def _receive(
    crawling: Crawling, ticket: _native.Ticket, request: Request
) -> Generator[Entries, None, Callable[[], None]]:
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


def _read(feed: Feed, receiver: _native.Receiver, body: Any) -> Iterator[Entries]:
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


def _in_turn(crawling: Crawling) -> Generator[Entries, None, None]:
    """One sitemap after the other, in this thread."""
    while not crawling.is_done():
        found = crawling.next_request()
        if found is None:
            sleep(crawling.wait() or 0)
            continue
        end = yield from _receive(crawling, *found)
        end()
    crawling.end_crawl()


def _with_threads(crawling: Crawling) -> Generator[Entries, None, None]:
    """Several sitemaps at the same time. This thread distributes the requests and returns the pages."""
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    jobs = crawling.jobs
    events: queue.Queue[Any] = queue.Queue(jobs)
    closed = threading.Event()
    threads = active = 0
    crawling.begin_threads()
    try:
        while True:
            crawling.check_process()
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
            if isinstance(event, Entries):
                yield event
            else:
                event()
                active -= 1
    finally:
        # A forked process has no thread to end, and the queue may be locked forever.
        if not crawling.is_forked:
            closed.set()
            for _ in range(threads):
                requests.put(None)
            # A thread that waits for room gets it, and adds no more than one event after this.
            while not events.empty():
                events.get_nowait()
    crawling.end_crawl()


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
