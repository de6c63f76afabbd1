"""The common parts of crawl() and crawl_async(): the state of the crawl, and the bytes of a body."""

from __future__ import annotations

import base64
import inspect
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from socket import EAI_AGAIN, gaierror
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import unquote_to_bytes, urlsplit

from . import _native
from .exchange import Request, Response, without_surrogates
from .options import CrawlOptions
from .records import Issue, Issues
from .reading import Progress
from .results import Coverage, CrawlError, CrawlSummary, IncompleteCrawlWarning, LeftOut, Sitemap

# Bytes that are decoded at a time. The interpreter handles signals in between.
CHUNK = 64 << 10
# Entries that are read at a time.
BATCH = 500

# Seconds between two calls of `on_progress`.
INTERVAL = 0.1

# The time, which goes on if that of the system is set. A test may replace it.
now = _native.now


class Crawling:
    """The crawl, which one thread uses at a time."""

    def __init__(self, site: str, fetch: Callable[[Request], Any], options: CrawlOptions) -> None:
        if not callable(fetch):
            raise TypeError("fetch must be a function of a Request that returns a Response")
        self.fetch = fetch
        self.jobs = options.jobs
        self._crawl = _native.Crawl(site, options, options.resume)
        self.site, login = without_login(site)
        self._own_headers = {**login, **(options.headers or {})}
        self._is_raising = options.on_error == "raise"
        self._on_progress = options.on_progress
        self._source: str | None = None
        self._wait: float | None = None
        self._reported = float("-inf")
        self._locked = threading.RLock()
        # The warning at the end is reported for the loop that takes the pages.
        self.stacklevel = 5
        self._process: int | None = None

    def begin_threads(self) -> None:
        """From here on, the crawl depends on threads of this process."""
        self._process = os.getpid()

    @property
    def is_forked(self) -> bool:
        return self._process not in (None, os.getpid())

    def check_process(self) -> None:
        """A process that was forked lacks the threads, and one of them may have held the lock."""
        if self.is_forked:
            raise RuntimeError(
                f"this process was forked during crawl(jobs={self.jobs}), and does not have its threads; "
                "use the crawl in the process that began it, or begin another one here"
            )

    @property
    def _lock(self) -> threading.RLock:
        self.check_process()
        return self._locked

    def next_request(self) -> tuple[_native.Ticket, Request] | None:
        self.report()
        with self._lock:
            found, self._wait = self._crawl.next_request(now())
        if found is None:
            return None
        ticket, arguments, is_own = found
        request = Request(*arguments)
        if is_own:
            request = replace(request, headers={**self._own_headers, **request.headers})
        self._source = request.url
        return ticket, request

    def report(self, is_last: bool = False) -> None:
        """Calls `on_progress`, unless that was a moment ago."""
        if self._on_progress is None or (time.monotonic() < self._reported + INTERVAL and not is_last):
            return
        self._reported = time.monotonic()
        summary = self.summary()
        files = summary.done + summary.failed + summary.unchanged
        self._on_progress(Progress(files, summary.bytes, summary.pages, self._source))

    def wait(self) -> float | None:
        """How many seconds there was nothing to fetch when that was asked last. None if only a response can lead to a request."""
        return self._wait

    def is_done(self) -> bool:
        with self._lock:
            return self._crawl.is_done()

    def begin(self, ticket: _native.Ticket, response: Response) -> _native.Receiver:
        with self._lock:
            return self._crawl.begin(ticket, response.status, response.final_url, response._headers)

    def end(self, receiver: _native.Receiver) -> None:
        with self._lock:
            self._crawl.end(receiver)

    def fail(self, ticket: _native.Ticket, text: str, is_permanent: bool) -> None:
        with self._lock:
            self._crawl.fail(ticket, text, is_permanent)

    def failing(self, ticket: _native.Ticket, error: Exception) -> Callable[[], None]:
        """A function that reports the exception of a client."""
        return partial(self.fail, ticket, text_of(error), is_permanent(error))

    def ending(self, receiver: _native.Receiver) -> Callable[[], None]:
        """A function that ends the receiver, to be called when all of its pages have been returned. Until then, the sitemap
        has not been read, so save() loses no pages."""
        return partial(self.end, receiver)

    def summary(self) -> CrawlSummary:
        with self._lock:
            values = self._crawl.summary()
        left_out = (LeftOut(reason, count, tuple(examples)) for reason, count, examples in values.pop("left_out"))
        return CrawlSummary(left_out=tuple(left_out), **values)

    def sitemaps(self) -> list[Sitemap]:
        with self._lock:
            return [Sitemap(*values) for values in self._crawl.sitemaps()]

    def known(self) -> dict[str, str]:
        with self._lock:
            return self._crawl.known()

    def gone(self, kept: Iterable[str]) -> list[str] | None:
        urls = list(kept)
        with self._lock:
            return self._crawl.gone(urls)

    def not_looked(self) -> str | None:
        with self._lock:
            return self._crawl.not_looked()

    def coverage(self) -> Coverage:
        with self._lock:
            return self._crawl.coverage()

    def issues(self) -> Issues:
        with self._lock:
            sitemaps, found = self._crawl.issues()
        return Issues(Issue(sitemap=sitemap, **values) for sitemap, values in zip(sitemaps, found))

    def errors(self) -> Iterator[tuple[str, str, str]]:
        """The sitemaps that failed, each with the kind and the text of its failure."""
        summary = self.summary()
        with self._lock:
            robots_failed = self._crawl.robots_failed()
        if robots_failed:
            yield self.site, "robots", f"robots.txt could not be read ({summary.robots_failure})"
        for sitemap in self.sitemaps():
            if sitemap.state == "failed":
                yield sitemap.url, sitemap.cause or "", sitemap.failure or ""
        if self.found_nothing(summary):
            absent = summary.robots_failure if not robots_failed else None
            because = "" if absent is None else f" (robots.txt: {absent})"
            yield self.site, "no-sitemap", f"no sitemap was found{because}"

    def left_out(self) -> Iterator[tuple[str, str, str]]:
        """What bounds and `select` left out, for the last rows of a table."""
        summary = self.summary()
        for left_out in summary.left_out:
            yield self.site, "left-out", _left_out(left_out)
        if summary.has_more_pages:
            yield self.site, "left-out", "there are more pages than max_pages"

    def found_nothing(self, summary: CrawlSummary) -> bool:
        return not summary.failed and self.read_nothing(summary)

    def read_nothing(self, summary: CrawlSummary) -> bool:
        read = summary.done + summary.unchanged
        return not read and not summary.has_more_pages and self.is_done()

    def save(self) -> str:
        with self._lock:
            return self._crawl.save()

    def end_crawl(self) -> None:
        """At the end of the crawl, raises CrawlError if nothing was read, and warns if something is missing, unless the caller
        did not want it."""
        self.report(is_last=True)
        summary = self.summary()
        read_nothing = self.read_nothing(summary)
        if self.coverage() != "incomplete" and not read_nothing:
            return
        if self._is_raising and read_nothing:
            kind, text = next(((kind, text) for _, kind, text in self.errors()), ("", "nothing was read"))
            raise CrawlError(f"{self.site}: {text}", kind, self.site)
        found = []
        if summary.robots_failure is not None:
            found.append(f"robots.txt could not be read ({summary.robots_failure})")
        if summary.failed:
            first = next(sitemap for sitemap in self.sitemaps() if sitemap.state == "failed")
            found.append(f"{summary.failed} of {summary.sitemaps} sitemaps failed (the first is {first.url}: {first.failure})")
        elif self.found_nothing(summary):
            found.append("no sitemap was found")
        for left_out in summary.left_out:
            if left_out.reason != "rejected":
                found.append(_left_out(left_out))
        if summary.skipped:
            found.append(f"{summary.skipped} entries were skipped")
        if found:
            text = f"not all pages were found: {'; '.join(found)}"
            warnings.warn(text, IncompleteCrawlWarning, stacklevel=self.stacklevel)


def _left_out(left_out: LeftOut) -> str:
    # All of them can have been read because of another listing.
    example = "".join(f", such as {url}" for url in left_out.examples[:1])
    sitemaps = "1 sitemap was" if left_out.count == 1 else f"{left_out.count} sitemaps were"
    return f"{sitemaps} left out ({left_out.reason}{example})"


class CrawlResult:
    """The results that all crawls have."""

    if TYPE_CHECKING:
        # Not at run time, where `help` would show it.
        _crawling: Crawling

    @property
    def summary(self) -> CrawlSummary:
        """The numbers of what has been read and left out so far."""
        return self._crawling.summary()

    @property
    def sitemaps(self) -> list[Sitemap]:
        """All known sitemaps and the state of each, in the order in which they were found."""
        return self._crawling.sitemaps()

    @property
    def known(self) -> dict[str, str]:
        """What is known of each document that was read, as a text by its URL, for the argument `known` of a later crawl.
        Then the server answers with the status 304 if a sitemap has not changed, and its pages are not returned. The
        sitemaps of an index that has not changed are read all the same. `help(crawl)` has an example.
        """
        return self._crawling.known()

    @property
    def coverage(self) -> Coverage:
        """Whether all pages of the site's sitemaps were returned.

        'complete': every sitemap was read to its end, no entry was skipped, and there is at least one page.
        'changes': everything is known, but some sitemaps have not changed, or were read before the crawl was resumed.
        'unknown': no page is known to be missing, but some may be: a sitemap is a text or a feed; robots.txt was refused; a
        document is absent, empty or of another kind for the first time; there is no page; or the crawl has not ended.
        'incomplete': a sitemap failed or was left out, an entry was skipped, or robots.txt could not be read.
        To delete pages, this is neither needed nor enough: see `gone` and `may_go`.
        """
        return self._crawling.coverage()

    def gone(self, kept: Iterable[str]) -> list[str] | None:
        """Returns those of the sitemaps that you keep which nothing lists any more; at the end of the crawl, delete their
        pages and their texts. `kept` has the URLs of all sitemaps of this site of which you have pages or a text.

        Returns None if a document that may list them could not be read, or must be seen a second time; `not_looked` says
        which. Then keep everything, and ask after the next crawl.

        >>> from quick_sitemap import Response, crawl
        >>> pages = crawl("https://example.com/a.txt", lambda request: Response(200, body=b"https://example.com/a"))
        >>> len(list(pages)), pages.coverage, pages.gone(["https://example.com/a.txt", "https://example.com/b.txt"])
        (1, 'unknown', ['https://example.com/b.txt'])
        """
        return self._crawling.gone(kept)

    @property
    def may_go(self) -> Literal[True] | None:
        """True if pages that no sitemap lists any more can be deleted at the end of the crawl: everything that could list
        them was read. Otherwise None, and `not_looked` says why."""
        return True if self._crawling.not_looked() is None else None

    @property
    def not_looked(self) -> str | None:
        """Why `may_go` or `gone` is None, in words that name the documents; None if it is known what the site lists."""
        return self._crawling.not_looked()

    @property
    def issues(self) -> Issues:
        """The problems in the sitemaps that were read, at most 1,000: a list of Issue."""
        return self._crawling.issues()

    def save(self) -> str:
        """Returns the progress of the crawl as JSON, for the argument `resume` of a later crawl.

        A sitemap has been read when the page after its last one is requested. The pages of all others are returned again.
        The URLs contain no user or password. `help(crawl)` has an example.
        """
        return self._crawling.save()

    def __repr__(self) -> str:
        summary = self.summary
        pages = f"{summary.pages} page{'' if summary.pages == 1 else 's'}"
        sitemaps = f"{summary.done} sitemap{'' if summary.done == 1 else 's'}"
        return f"<quick_sitemap.{type(self).__name__}, {pages} in {sitemaps} so far>"


CrawlResult.__module__ = "quick_sitemap"


def without_login(site: str) -> tuple[str, dict[str, str]]:
    """A site without its user and password, and the header that these make."""
    scheme, mark, rest = site.rpartition("://")
    host = urlsplit(f"//{rest}").netloc
    login, at, _ = host.rpartition("@")
    if not at:
        return site, {}
    user, colon, password = login.partition(":")
    both = unquote_to_bytes(user) + b":" + unquote_to_bytes(password)
    header = {"Authorization": f"Basic {base64.b64encode(both).decode()}"}
    return scheme + mark + rest.replace(login + at, "", 1), header


R = TypeVar("R")


def made(result: type[R], **attributes: Any) -> R:
    """An object of a class whose constructor is not public."""
    found = result.__new__(result)
    found.__dict__.update(attributes)
    return found


def text_of(error: BaseException) -> str:
    """An exception in one line: its class and its message."""
    try:
        message = without_surrogates(str(error))
    except Exception:
        # As tracebacks have it.
        message = "<exception str() failed>"
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def is_permanent(error: BaseException) -> bool:
    """Returns True if another attempt would not help: the host is not known, or its certificate is not valid."""
    cause: Any = error
    for _ in range(10):
        # Compared by name, because Python can lack ssl.
        if type(cause).__name__ == "SSLCertVerificationError":
            return True
        if isinstance(cause, gaierror):
            return cause.errno != EAI_AGAIN
        reason = getattr(cause, "reason", None)
        cause = reason if isinstance(reason, BaseException) else cause.__cause__ or cause.__context__
        if cause is None:
            return False
    return False


# Clients for which `quick_sitemap.fetch` has a function.
CLIENTS = {"requests": "requests", "httpx": "httpx", "aiohttp": "aiohttp", "http": "urllib", "urllib": "urllib"}


def checked(response: Any, function: str) -> Response:
    if isinstance(response, Response):
        return response
    if hasattr(response, "close"):
        # A coroutine that is never awaited, or a response of the client.
        response.close()
    package = type(response).__module__.partition(".")[0]
    name = type(response).__qualname__
    hint = "; with an async function, use crawl_async" if inspect.iscoroutine(response) else ""
    if package in CLIENTS:
        name = f"{package}.{name}"
        hint = f"; quick_sitemap.fetch.{CLIENTS[package]}() returns such a function"
    raise TypeError(f"fetch must return a quick_sitemap.Response{function}, not {name}{hint}")


def closer(response: Response, *names: str) -> Callable[[], object] | None:
    """The function that closes a response: the argument `close`, or else the first of these methods that the body has."""
    if response.close is not None:
        return response.close
    methods = (getattr(response.body, name, None) for name in names)
    return next((method for method in methods if callable(method)), None)


class Feed:
    """Passes the chunks of a body to a receiver, and notices if the body is too short."""

    def __init__(self, response: Response, receiver: _native.Receiver) -> None:
        self._receiver = receiver
        self._received = 0
        self._status = response.status
        length = response.header("content-length") or ""
        # The length of an encoded body is another one than that of the bytes that the client returns.
        is_encoded = (response.header("content-encoding") or "").strip().lower() not in ("", "identity")
        self._expected = int(length) if length.isascii() and length.isdigit() and len(length) < 20 and not is_encoded else 0

    def push(self, chunk: Any) -> Iterator[_native.Entries]:
        """Passes bytes, and returns the pages in them."""
        if isinstance(chunk, str) or not isinstance(chunk, (bytes, bytearray, memoryview)):
            chunk = _buffer(chunk)
        view = memoryview(chunk)
        self._received += view.nbytes
        if view.nbytes <= CHUNK:
            yield from self._pages(view.tobytes())
            return
        view = memoryview(view.tobytes()) if not view.contiguous else view.cast("B")
        for start in range(0, view.nbytes, CHUNK):
            if not self._receiver.wants_more:
                return
            yield from self._pages(view[start : start + CHUNK].tobytes())

    def _pages(self, piece: bytes) -> Iterator[_native.Entries]:
        self._receiver.push(piece)
        yield from self.take()

    @property
    def is_unchanged(self) -> bool:
        """Returns True if the sitemap has not changed and the caller has no body of it (then there is no end to mark)."""
        return self._status == 304 and self._received == 0

    def end(self) -> Iterator[_native.Entries]:
        """Marks the end of the body."""
        if self._received < self._expected:
            self._receiver.fail(f"the connection was closed after {self._received} of {self._expected} bytes")
        else:
            self._receiver.finish()
        yield from self.take()

    def fail(self, error: Exception) -> Iterator[_native.Entries]:
        """Marks the end of a body that cannot be read further."""
        self._receiver.fail(text_of(error))
        yield from self.take()

    def take(self) -> Iterator[_native.Entries]:
        while (entries := self._receiver.take(BATCH)) is not None:
            yield entries


def _buffer(chunk: Any) -> memoryview:
    try:
        return memoryview(chunk)
    except TypeError:
        raise TypeError(f"the body of a response must be bytes, not {type(chunk).__name__}") from None


def is_bytes(body: Any) -> bool:
    return isinstance(body, (bytes, bytearray, memoryview))


def chunks(body: Any) -> Iterator[Any]:
    """The chunks of a body that is not asynchronous."""
    if is_bytes(body) or isinstance(body, str):
        return iter((body,))
    if hasattr(body, "read"):
        return iter(partial(body.read, CHUNK), b"")
    try:
        return iter(body)
    except TypeError:
        name = type(body).__name__
        raise TypeError(f"the body of a response must be bytes, a file object or an iterable of bytes, not {name}") from None
